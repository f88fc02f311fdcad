/** Grants: the rights of each token, and the total use of its sessions. */
package dev.outpost.runtime.session.grant;
