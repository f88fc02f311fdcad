/** Transfers of elements to and from a machine, piece by piece. */
package dev.outpost.client.transfer;
