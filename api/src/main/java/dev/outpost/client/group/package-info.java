/** Records for a group of machines: one ledger, a session of each member, and a segment for each. */
package dev.outpost.client.group;
