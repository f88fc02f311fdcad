/** Elements on their way to a machine and back, piece by piece. */
package dev.outpost.client.transfer;
