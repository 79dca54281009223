<?php
/* SPDX-License-Identifier: MIT */

return [Symfony\Bundle\FrameworkBundle\FrameworkBundle::class => ['all' => true]];
