/** Bounds of the connections that HTTP servers accept. */
package dev.outpost.channel.guard;
