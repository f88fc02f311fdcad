/** A worker host, which joins a backend as a fleet of its own: it starts the desired machines and reports their states. */
package dev.outpost.cli.worker;
