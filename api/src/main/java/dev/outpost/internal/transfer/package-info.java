/** Transfers of elements between arrays of the program and a machine. */
package dev.outpost.internal.transfer;
