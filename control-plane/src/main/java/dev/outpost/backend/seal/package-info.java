/** Values that the backend must read back, sealed with keys that are not in the database. */
package dev.outpost.backend.seal;
