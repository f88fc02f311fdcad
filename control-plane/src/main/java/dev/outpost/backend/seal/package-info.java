/** Values that the backend must read back, sealed under keys that are not in the database. */
package dev.outpost.backend.seal;
