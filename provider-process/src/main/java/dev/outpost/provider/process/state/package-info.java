/** What there is of machines on this host, as files: who they are, which process each is, and why it ended. */
package dev.outpost.provider.process.state;
