/** Rewrites one program into one for each member of a group, with exchanges between them. */
package dev.outpost.client.sharding;
