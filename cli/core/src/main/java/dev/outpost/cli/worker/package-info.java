/** A host that joins a backend as a fleet of its own: it starts what shall be there, and tells how it is. */
package dev.outpost.cli.worker;
