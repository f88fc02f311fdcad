/** Makes one program for each member of a group out of one program, with exchanges between them. */
package dev.outpost.client.sharding;
