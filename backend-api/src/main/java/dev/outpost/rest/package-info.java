/** The common parts of the backend's REST API: pages and problem documents. */
package dev.outpost.rest;
