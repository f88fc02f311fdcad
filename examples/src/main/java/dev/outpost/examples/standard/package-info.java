/** The field's standard first programs. Each is one file, and has the same program in PyTorch in {@code examples/pytorch}. */
package dev.outpost.examples.standard;
