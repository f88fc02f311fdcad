/** The recorder of tensor operations, and traced programs, their calls, and scans. */
package dev.outpost.client.program;
