/** The backup of all rows. */
package dev.outpost.backend.store.backup;
