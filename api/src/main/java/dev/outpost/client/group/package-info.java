/** Records for a group of machines: one ledger, an incarnation of each member, and a segment for each. */
package dev.outpost.client.group;
