/** A machine on a local network: announcement by mDNS, and pairing with clients by a code. */
package dev.outpost.runtime.server.lan;
