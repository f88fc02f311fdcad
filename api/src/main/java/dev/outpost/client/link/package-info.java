/** The connection to a machine: what is sent, in which order, and whether it is alive. */
package dev.outpost.client.link;
