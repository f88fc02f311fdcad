/** What members of a group of machines are asked, and what they say to each other. */
package dev.outpost.protocol.peer;
