/** Calls to addresses that tenants name. */
package dev.outpost.backend.outbound;
