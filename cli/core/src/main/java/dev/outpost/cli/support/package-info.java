/** Parts that several commands share: tables, secrets that are typed in, and options that name a machine. */
package dev.outpost.cli.support;
