/** The common parts of the backend's REST API: pages and problem documents. */
@NullMarked
package dev.outpost.rest;

import org.jspecify.annotations.NullMarked;
