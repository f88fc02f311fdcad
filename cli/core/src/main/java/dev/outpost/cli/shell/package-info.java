/** The sessions of {@code ./outpost jshell --session NAME}, which outlive a JShell. */
package dev.outpost.cli.shell;
