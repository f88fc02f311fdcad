/** What went wrong on a machine, and how that is told. */
package dev.outpost.client.failures;
