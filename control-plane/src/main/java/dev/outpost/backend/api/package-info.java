/** The HTTP API under {@code /v1}: who may, what is asked, and what is answered. */
package dev.outpost.backend.api;
