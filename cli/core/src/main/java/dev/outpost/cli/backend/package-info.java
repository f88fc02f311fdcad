/** The commands that ask a backend or a provider for machines, deployments, jobs and what they cost. */
package dev.outpost.cli.backend;
