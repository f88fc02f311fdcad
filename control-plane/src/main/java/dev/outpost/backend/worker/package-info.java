/** Worker hosts: they connect to this backend, are told what machines shall be there, and tell how these are. */
package dev.outpost.backend.worker;
