/** Prices, charges, budgets and quotas. */
package dev.outpost.backend.model.usage;
