/** Records for a group of machines: one ledger, a session for each member, and a segment for each member. */
package dev.outpost.client.group;
