/** The session of a machine: its life, what is sent to it, and what it answers. */
package dev.outpost.client.session;
