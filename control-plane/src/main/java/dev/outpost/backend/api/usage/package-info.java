/** Usage, prices, budgets and quotas. */
package dev.outpost.backend.api.usage;
