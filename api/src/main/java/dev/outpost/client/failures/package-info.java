/** The failures of a machine, and the exceptions and texts for them. */
package dev.outpost.client.failures;
