/** A machine of a local network: announced by mDNS, paired with clients by a code. */
package dev.outpost.runtime.server.lan;
