/** The connection to a machine: the messages, their order, and the detection of its loss. */
package dev.outpost.client.link;
