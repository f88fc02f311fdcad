/** Usage and its costs: budgets, quotas, prices, tokens, in the form of the backend's REST API. */
@NullMarked
package dev.outpost.rest.usage;

import org.jspecify.annotations.NullMarked;
