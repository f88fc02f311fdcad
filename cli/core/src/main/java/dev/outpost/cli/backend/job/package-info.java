/** The commands for jobs. */
package dev.outpost.cli.backend.job;
