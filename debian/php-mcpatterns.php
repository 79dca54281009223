mod debian/mcpatterns.ini
