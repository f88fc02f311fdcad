/** The rows of what machines and texts use, of their costs and of the limits; and transitions of machines, which change them. */
package dev.outpost.backend.store.usage;
