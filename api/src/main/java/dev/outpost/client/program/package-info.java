/** The recorder that tensors use, programs that are traced, their calls, and scans. */
package dev.outpost.client.program;
