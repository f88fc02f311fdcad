/** The state of machines on this host, as files: their descriptions, their processes, and why they ended. */
package dev.outpost.provider.process.state;
