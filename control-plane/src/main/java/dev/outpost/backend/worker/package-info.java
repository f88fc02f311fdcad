/** Worker hosts: they connect to this backend, receive the list of desired machines, and report the machines' states. */
package dev.outpost.backend.worker;
