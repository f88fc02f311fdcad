/** The commands for machines. */
package dev.outpost.cli.backend.machine;
