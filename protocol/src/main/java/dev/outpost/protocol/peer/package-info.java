/** The questions to members of a group of machines, and the messages between the members. */
package dev.outpost.protocol.peer;
