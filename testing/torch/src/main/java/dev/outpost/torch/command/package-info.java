/** The command {@code parity}. */
package dev.outpost.torch.command;
