# What of this was tried, and what not, is in packaging/README.md.
class Mcpatterns < Formula
  desc "Caching patterns over memcached for PHP: stampede-free cache, locks, counters"
  homepage "https://github.com/mcpatterns/mcpatterns"
  url "https://github.com/mcpatterns/mcpatterns/releases/download/1.0.0-RC2/mcpatterns-1.0.0RC2.tgz"
  # sha256 "..." by `brew fetch --build-from-source mcpatterns`, when the archive is there.
  license all_of: ["MIT", "BSD-2-Clause", "ISC"]

  depends_on "autoconf" => :build
  depends_on "pkgconf" => :build
  depends_on "libmemcached"
  depends_on "php"
  depends_on "zstd"
  uses_from_macos "zlib"

  def install
    cd "mcpatterns-#{version}" if File.directory?("mcpatterns-#{version}")
    system Formula["php"].opt_bin/"phpize"
    system "./configure", "--with-mcpatterns", "--with-php-config=#{Formula["php"].opt_bin}/php-config"
    system "make"
    (lib/"php/pecl").install "modules/mcpatterns.so"
    pkgshare.install "web/mcpatterns.php"
    bin.install "bin/doctor" => "mcpatterns-doctor"
    bin.install "bin/mctop"
  end

  def caveats
    <<~EOS
      To load it, add to php.ini:
        extension=#{opt_lib}/php/pecl/mcpatterns.so
    EOS
  end

  test do
    code = 'echo (new McPatterns\\Cache(new McPatterns\\Pool("memory://brew")))->remember("k", 60, fn () => "works");'
    php = Formula["php"].opt_bin/"php"
    assert_equal "works", shell_output("#{php} -n -d extension=#{lib}/php/pecl/mcpatterns.so -r '#{code}'")
  end
end
