/** The live view of a machine, and of a group of them. */
package dev.outpost.cli.top;
