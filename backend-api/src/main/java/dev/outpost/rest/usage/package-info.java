/** Usage and its costs: budgets, quotas, prices, tokens, as the backend's REST API takes and shows them. */
@NullMarked
package dev.outpost.rest.usage;

import org.jspecify.annotations.NullMarked;
