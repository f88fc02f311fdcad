/** What each token may use, and what its sessions have together. */
package dev.outpost.runtime.session.grant;
