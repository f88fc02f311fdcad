/** The session of a machine: its life, the messages that it is sent, and its answers. */
package dev.outpost.client.session;
