// Made by "npm run generate". Do not edit.

export interface paths {
    "/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in */
        post: operations["postLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Swap a refresh token */
        post: operations["postAuthRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End this session */
        post: operations["postLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the caller's password and end the caller's other sessions */
        post: operations["postMePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The signed-in user */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/mfa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's second factors */
        get: operations["getMeMfa"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/mfa/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a secret for an app that shows codes */
        post: operations["postMeMfaTotp"];
        /** Turn the codes of an app off */
        delete: operations["deleteMeMfaTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/mfa/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn the codes of an app on, within 10 minutes */
        post: operations["postMeMfaTotpConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/mfa/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make new recovery codes; the earlier ones end */
        post: operations["postMeMfaRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/mfa/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove all second factors of a user and end the user's sessions */
        post: operations["postUsersByIdMfaReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/mfa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The second step of a sign-in */
        post: operations["postLoginMfa"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Options for a sign-in with a passkey alone */
        post: operations["postLoginPasskeyOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a passkey alone */
        post: operations["postLoginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/reauthenticate/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The methods of a reauthentication, with options for a passkey */
        post: operations["postMeReauthenticateOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm who you are, for requests that need a recent sign-in */
        post: operations["postMeReauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Options for the registration of a passkey */
        post: operations["postMePasskeysOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the caller's passkeys */
        get: operations["getMePasskeys"];
        put?: never;
        /** Register a passkey */
        post: operations["postMePasskeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a passkey */
        delete: operations["deleteMePasskeysById"];
        options?: never;
        head?: never;
        /** Rename a passkey */
        patch: operations["patchMePasskeysById"];
        trace?: never;
    };
    "/tenant_config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve the settings that an app needs at its start */
        get: operations["getTenantConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/home": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count the things that wait for the user */
        get: operations["getHome"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List devices */
        get: operations["getDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/devices/{uuid}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the session on a device */
        post: operations["postDevicesByUuidRevoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users */
        get: operations["getUsers"];
        put?: never;
        /** Invite a user */
        post: operations["postUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one user */
        get: operations["getUsersById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a user's name, rights or status */
        patch: operations["patchUsersById"];
        trace?: never;
    };
    "/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation */
        post: operations["postInvitationsAccept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a mail to choose a new password */
        post: operations["postPasswordForgot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose a new password */
        post: operations["postPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request another email address for the caller */
        post: operations["postMeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm another email address */
        post: operations["postMeEmailConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a user choose a new password */
        post: operations["postUsersByIdPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The workspace */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the workspace's settings */
        patch: operations["patchWorkspace"];
        trace?: never;
    };
    "/sso": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The connection to the workspace's OpenID provider */
        get: operations["getSso"];
        /** Create or replace the connection to the workspace's OpenID provider */
        put: operations["putSso"];
        post?: never;
        /** Remove the connection, and end the sessions that were signed in with it */
        delete: operations["deleteSso"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Test the connection, without a change */
        post: operations["postSsoTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the domains of single sign-on */
        get: operations["getSsoDomains"];
        put?: never;
        /** Add a domain, whose TXT record is in the answer */
        post: operations["postSsoDomains"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one domain */
        get: operations["getSsoDomainsByDomain"];
        put?: never;
        post?: never;
        /** Remove a domain */
        delete: operations["deleteSsoDomainsByDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/domains/{domain}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look for the TXT record of a domain */
        post: operations["postSsoDomainsByDomainVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Begin a sign-in at the provider of a company */
        get: operations["getSsoStart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/callback/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the provider sends the browser back to */
        get: operations["getSsoCallbackById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/exchange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a session with the code of a sign-in at a provider */
        post: operations["postSsoExchange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/logout/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End sessions by a logout token of the provider */
        post: operations["postSsoLogoutById"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List audit entries, the oldest first */
        get: operations["getAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys */
        get: operations["getApiKeys"];
        put?: never;
        /** Create an API key */
        post: operations["postApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one API key */
        get: operations["getApiKeysById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give an API key a new text */
        post: operations["postApiKeysByIdRotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke an API key */
        post: operations["postApiKeysByIdRevoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets */
        get: operations["getAssets"];
        put?: never;
        /** Create an asset */
        post: operations["postAssets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one asset, or where it was at an instant */
        get: operations["getAssetsById"];
        put?: never;
        post?: never;
        /** Delete an asset */
        delete: operations["deleteAssetsById"];
        options?: never;
        head?: never;
        /** Change an asset */
        patch: operations["patchAssetsById"];
        trace?: never;
    };
    "/assets/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the history of an asset */
        get: operations["getAssetsByIdHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/statuses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List asset statuses */
        get: operations["getStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create up to 1,000 assets */
        post: operations["postAssetsBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/bulk/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change up to 1,000 assets */
        post: operations["postAssetsBulkUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count assets by status, category and location */
        get: operations["getAssetsFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the status of an asset */
        post: operations["postAssetsByIdStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}/dispose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Dispose of an asset */
        post: operations["postAssetsByIdDispose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve the image of an asset */
        get: operations["getAssetsByIdImage"];
        put?: never;
        /** Set the image of an asset */
        post: operations["postAssetsByIdImage"];
        /** Remove the image of an asset */
        delete: operations["deleteAssetsByIdImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/import/assets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one import */
        get: operations["getImportAssetsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/import/assets/{id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the rows of an import */
        get: operations["getImportAssetsByIdRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/import/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Import assets from a CSV file */
        post: operations["postImportAssets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make labels of assets */
        post: operations["postLabels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/labels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one sheet of labels */
        get: operations["getLabelsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/labels/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve the file of a sheet of labels */
        get: operations["getLabelsByIdFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List movements */
        get: operations["getMovements"];
        put?: never;
        /** Move an asset */
        post: operations["postMovements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/movements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one movement */
        get: operations["getMovementsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}/movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the movements of an asset */
        get: operations["getAssetsByIdMovements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List checkouts */
        get: operations["getCheckouts"];
        put?: never;
        /** Check an asset out */
        post: operations["postCheckouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one checkout */
        get: operations["getCheckoutsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}/checkouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the checkouts of an asset */
        get: operations["getAssetsByIdCheckouts"];
        put?: never;
        /** Check this asset out */
        post: operations["postAssetsByIdCheckouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkouts/{id}/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record the return of a checkout */
        post: operations["postCheckoutsByIdReturn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check an asset in */
        post: operations["postCheckins"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List properties */
        get: operations["getProperties"];
        put?: never;
        /** Create a record of properties */
        post: operations["postProperties"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/properties/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a record of properties */
        get: operations["getPropertiesById"];
        put?: never;
        post?: never;
        /** Delete a record of properties */
        delete: operations["deletePropertiesById"];
        options?: never;
        head?: never;
        /** Change a record of properties */
        patch: operations["patchPropertiesById"];
        trace?: never;
    };
    "/buildings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List buildings */
        get: operations["getBuildings"];
        put?: never;
        /** Create a record of buildings */
        post: operations["postBuildings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/buildings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a record of buildings */
        get: operations["getBuildingsById"];
        put?: never;
        post?: never;
        /** Delete a record of buildings */
        delete: operations["deleteBuildingsById"];
        options?: never;
        head?: never;
        /** Change a record of buildings */
        patch: operations["patchBuildingsById"];
        trace?: never;
    };
    "/floors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List floors */
        get: operations["getFloors"];
        put?: never;
        /** Create a record of floors */
        post: operations["postFloors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/floors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a record of floors */
        get: operations["getFloorsById"];
        put?: never;
        post?: never;
        /** Delete a record of floors */
        delete: operations["deleteFloorsById"];
        options?: never;
        head?: never;
        /** Change a record of floors */
        patch: operations["patchFloorsById"];
        trace?: never;
    };
    "/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List locations */
        get: operations["getLocations"];
        put?: never;
        /** Create a record of locations */
        post: operations["postLocations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/locations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a record of locations */
        get: operations["getLocationsById"];
        put?: never;
        post?: never;
        /** Delete a record of locations */
        delete: operations["deleteLocationsById"];
        options?: never;
        head?: never;
        /** Change a record of locations */
        patch: operations["patchLocationsById"];
        trace?: never;
    };
    "/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List categories */
        get: operations["getCategories"];
        put?: never;
        /** Create a record of categories */
        post: operations["postCategories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a record of categories */
        get: operations["getCategoriesById"];
        put?: never;
        post?: never;
        /** Delete a record of categories */
        delete: operations["deleteCategoriesById"];
        options?: never;
        head?: never;
        /** Change a record of categories */
        patch: operations["patchCategoriesById"];
        trace?: never;
    };
    "/custodians": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List custodians */
        get: operations["getCustodians"];
        put?: never;
        /** Create a record of custodians */
        post: operations["postCustodians"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/custodians/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a record of custodians */
        get: operations["getCustodiansById"];
        put?: never;
        post?: never;
        /** Delete a record of custodians */
        delete: operations["deleteCustodiansById"];
        options?: never;
        head?: never;
        /** Change a record of custodians */
        patch: operations["patchCustodiansById"];
        trace?: never;
    };
    "/departments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List departments */
        get: operations["getDepartments"];
        put?: never;
        /** Create a record of departments */
        post: operations["postDepartments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/departments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a record of departments */
        get: operations["getDepartmentsById"];
        put?: never;
        post?: never;
        /** Delete a record of departments */
        delete: operations["deleteDepartmentsById"];
        options?: never;
        head?: never;
        /** Change a record of departments */
        patch: operations["patchDepartmentsById"];
        trace?: never;
    };
    "/locations/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Properties, buildings, floors and locations as a tree */
        get: operations["getLocationsTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/custom-fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List custom fields */
        get: operations["getCustomFields"];
        put?: never;
        /** Define a custom field of assets */
        post: operations["postCustomFields"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/custom-fields/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one custom field */
        get: operations["getCustomFieldsById"];
        put?: never;
        post?: never;
        /** Delete a custom field */
        delete: operations["deleteCustomFieldsById"];
        options?: never;
        head?: never;
        /** Change a custom field */
        patch: operations["patchCustomFieldsById"];
        trace?: never;
    };
    "/readers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List readers */
        get: operations["getReaders"];
        put?: never;
        /** Register a reader */
        post: operations["postReaders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readers/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events of a reader by minute or hour */
        get: operations["getReadersByIdActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one reader and its health */
        get: operations["getReadersById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a reader */
        patch: operations["patchReadersById"];
        trace?: never;
    };
    "/readers/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a reader a new secret */
        post: operations["postReadersByIdRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readers/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a reader */
        post: operations["postReadersByIdRevoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List agents */
        get: operations["getAgents"];
        put?: never;
        /** Add an agent */
        post: operations["postAgents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one agent */
        get: operations["getAgentsById"];
        put?: never;
        post?: never;
        /** Remove an agent; rotate the secrets of its readers afterwards */
        delete: operations["deleteAgentsById"];
        options?: never;
        head?: never;
        /** Change an agent */
        patch: operations["patchAgentsById"];
        trace?: never;
    };
    "/agents/enrol": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange the token of an agent for its secret */
        post: operations["postAgentsEnrol"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report the state of an agent, and get its readers */
        post: operations["postAgentsSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reader-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The settings for all readers */
        get: operations["getReaderSettings"];
        /** Replace the settings for all readers */
        put: operations["putReaderSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/zones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List zones */
        get: operations["getZones"];
        put?: never;
        /** Create a zone */
        post: operations["postZones"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/zones/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one zone */
        get: operations["getZonesById"];
        put?: never;
        post?: never;
        /** Delete a zone */
        delete: operations["deleteZonesById"];
        options?: never;
        head?: never;
        /** Change a zone */
        patch: operations["patchZonesById"];
        trace?: never;
    };
    "/zones/{id}/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set the locations of a zone */
        put: operations["putZonesByIdLocations"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/zones/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many assets and unknown tags are in each zone now */
        get: operations["getZonesPresence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/zones/{id}/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tags that are in a zone now, in the order in which they came */
        get: operations["getZonesByIdPresence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}/sightings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List where an asset was seen */
        get: operations["getAssetsByIdSightings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/{id}/reads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the reads of a tag */
        get: operations["getTagsByIdReads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readers/{id}/reads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what a reader read */
        get: operations["getReadersByIdReads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tags */
        get: operations["getTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one tag */
        get: operations["getTagsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/{id}/decommission": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Free a tag from its asset */
        post: operations["postTagsByIdDecommission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find the asset of a tag */
        get: operations["getAssetsLookup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/commission": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bind a tag to an asset */
        post: operations["postTagsCommission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-rules/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give the webhook of an alert rule a new secret */
        post: operations["postAlertRulesByIdRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-rules/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The log of the deliveries of an alert rule */
        get: operations["getAlertRulesByIdDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-rules/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try an alert rule on past sightings */
        post: operations["postAlertRulesBacktest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-rules/backtests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one backtest */
        get: operations["getAlertRulesBacktestsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List alert rules */
        get: operations["getAlertRules"];
        put?: never;
        /** Create an alert rule */
        post: operations["postAlertRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one alert rule */
        get: operations["getAlertRulesById"];
        put?: never;
        post?: never;
        /** Delete an alert rule and resolve its open alerts */
        delete: operations["deleteAlertRulesById"];
        options?: never;
        head?: never;
        /** Change an alert rule. Another scope or condition resolves its open alerts */
        patch: operations["patchAlertRulesById"];
        trace?: never;
    };
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List alerts */
        get: operations["getAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one alert */
        get: operations["getAlertsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/ack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Acknowledge an alert */
        post: operations["postAlertsByIdAck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resolve an alert */
        post: operations["postAlertsByIdResolve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List notices, the newest first. Empty for users without the capability alerts */
        get: operations["getNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notices/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark a notice as read */
        post: operations["postNoticesByIdRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhook subscriptions */
        get: operations["getWebhooks"];
        put?: never;
        /** Create a webhook subscription */
        post: operations["postWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one webhook subscription */
        get: operations["getWebhooksById"];
        put?: never;
        post?: never;
        /** Delete a webhook subscription */
        delete: operations["deleteWebhooksById"];
        options?: never;
        head?: never;
        /** Change a webhook subscription */
        patch: operations["patchWebhooksById"];
        trace?: never;
    };
    "/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a webhook subscription a new secret */
        post: operations["postWebhooksByIdRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test message to a webhook subscription */
        post: operations["postWebhooksByIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The log of a webhook subscription */
        get: operations["getWebhooksByIdDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message to a webhook subscription again */
        post: operations["postWebhooksByIdDeliveriesByDeliveryIdRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stocktake/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List stock-take sessions */
        get: operations["getStocktakeSessions"];
        put?: never;
        /** Create a stock-take session */
        post: operations["postStocktakeSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stocktake/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one stock-take session */
        get: operations["getStocktakeSessionsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stocktake/sessions/{id}/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open a stock-take session */
        post: operations["postStocktakeSessionsByIdOpen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stocktake/sessions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a stock-take session */
        post: operations["postStocktakeSessionsByIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stocktake/sessions/{id}/expected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the expected assets of a stock-take session */
        get: operations["getStocktakeSessionsByIdExpected"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stocktake/sessions/{id}/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the scans of a stock-take session */
        get: operations["getStocktakeSessionsByIdScans"];
        put?: never;
        /** Add scans to a stock-take session */
        post: operations["postStocktakeSessionsByIdScans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stocktake/sessions/{id}/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reconcile a stock-take session */
        post: operations["postStocktakeSessionsByIdReconcile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stocktake/sessions/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Close a stock-take session */
        post: operations["postStocktakeSessionsByIdClose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stocktake/sessions/{id}/variances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the variances of a stock-take session */
        get: operations["getStocktakeSessionsByIdVariances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stocktake/variances/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one variance */
        get: operations["getStocktakeVariancesById"];
        put?: never;
        /** Resolve a variance */
        post: operations["postStocktakeVariancesById"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/variance/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Report the variances of a stock-take session */
        get: operations["getReportsVarianceBySessionId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export/variance.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the variances of a stock-take session as CSV */
        get: operations["getExportVarianceCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/work-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List work orders */
        get: operations["getWorkOrders"];
        put?: never;
        /** Create a work order */
        post: operations["postWorkOrders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}/work-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the work orders of an asset */
        get: operations["getAssetsByIdWorkOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/work-orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one work order */
        get: operations["getWorkOrdersById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a work order */
        patch: operations["patchWorkOrdersById"];
        trace?: never;
    };
    "/work-orders/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the status of a work order */
        post: operations["postWorkOrdersByIdStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contracts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List contracts */
        get: operations["getContracts"];
        put?: never;
        /** Create a contract */
        post: operations["postContracts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contracts/expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the contracts that expire soon */
        get: operations["getContractsExpiring"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contracts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one contract */
        get: operations["getContractsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a contract */
        patch: operations["patchContractsById"];
        trace?: never;
    };
    "/contracts/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a contract */
        post: operations["postContractsByIdCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pm-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List maintenance schedules */
        get: operations["getPmSchedules"];
        put?: never;
        /** Create a maintenance schedule */
        post: operations["postPmSchedules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pm-schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one maintenance schedule */
        get: operations["getPmSchedulesById"];
        put?: never;
        post?: never;
        /** Delete a maintenance schedule */
        delete: operations["deletePmSchedulesById"];
        options?: never;
        head?: never;
        /** Change a maintenance schedule */
        patch: operations["patchPmSchedulesById"];
        trace?: never;
    };
    "/pm-schedules/{id}/due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the due dates of a maintenance schedule */
        get: operations["getPmSchedulesByIdDue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pm-schedules/{id}/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Generate the work orders of a maintenance schedule */
        post: operations["postPmSchedulesByIdGenerate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/maintenance/due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the maintenance that is due */
        get: operations["getMaintenanceDue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calibrations/due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the calibrations that are due */
        get: operations["getCalibrationsDue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}/calibrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the calibrations of an asset */
        get: operations["getAssetsByIdCalibrations"];
        put?: never;
        /** Record a calibration of an asset */
        post: operations["postAssetsByIdCalibrations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calibrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one calibration */
        get: operations["getCalibrationsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}/meter-readings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the meter readings of an asset */
        get: operations["getAssetsByIdMeterReadings"];
        put?: never;
        /** Add a meter reading of an asset */
        post: operations["postAssetsByIdMeterReadings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meter-readings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one meter reading */
        get: operations["getMeterReadingsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the attachments of an asset */
        get: operations["getAssetsByIdAttachments"];
        put?: never;
        /** Add an attachment to an asset */
        post: operations["postAssetsByIdAttachments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attachments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve the content of an attachment */
        get: operations["getAttachmentsById"];
        put?: never;
        post?: never;
        /** Delete an attachment */
        delete: operations["deleteAttachmentsById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}/depr-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the depreciation profiles of an asset */
        get: operations["getAssetsByIdDeprProfiles"];
        put?: never;
        /** Create or change the depreciation profile of an asset */
        post: operations["postAssetsByIdDeprProfiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/depr-profiles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one depreciation profile */
        get: operations["getDeprProfilesById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/depreciation/disposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the accounts of disposals */
        get: operations["getDepreciationDisposals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/depreciation/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List depreciation runs */
        get: operations["getDepreciationRuns"];
        put?: never;
        /** Create a depreciation run */
        post: operations["postDepreciationRuns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/depreciation/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one depreciation run */
        get: operations["getDepreciationRunsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/depreciation/runs/{id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the lines of a depreciation run */
        get: operations["getDepreciationRunsByIdLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/depreciation/runs/{id}/post": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Post a depreciation run */
        post: operations["postDepreciationRunsByIdPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/depreciation/runs/{id}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Discard a depreciation run */
        post: operations["postDepreciationRunsByIdDiscard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{id}/depreciation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve the depreciation of an asset */
        get: operations["getAssetsByIdDepreciation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/depreciation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Report depreciation by category */
        get: operations["getReportsDepreciation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Report number and value of the assets */
        get: operations["getReportsRegister"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/by-location": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Report number and value of the assets by location */
        get: operations["getReportsByLocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/by-custodian": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Report number and value of the assets by custodian */
        get: operations["getReportsByCustodian"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/by-category": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Report number and value of the assets by category */
        get: operations["getReportsByCategory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Report number, value and movements of the assets over time */
        get: operations["getReportsValue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export/register.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the register as CSV */
        get: operations["getExportRegisterCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ingest/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ingest signed reader events */
        post: operations["postIngestEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List events */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one event */
        get: operations["getEventsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stream events */
        get: operations["getEventsStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** AddedStocktakeScans */
        AddedStocktakeScans: {
            results: {
                index: number;
                /** @enum {unknown} */
                status: "accepted" | "replayed" | "rejected";
                id?: string;
                code?: string;
                message?: string;
                errors?: {
                    field: string;
                    message: string;
                }[];
            }[];
        };
        /** AfterHours */
        AfterHours: {
            /** @constant */
            type: "after_hours";
            open_days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            open_from: string;
            open_to: string;
        };
        /** Agent */
        Agent: {
            id: string;
            name: string;
            reader_ids: string[];
            /** @enum {unknown} */
            status: "pending" | "active";
            version: string | null;
            /** Format: date-time */
            last_seen_at: string | null;
            buffer: {
                rows: number;
                /** Format: date-time */
                oldest_at: string | null;
            } | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            token_expires_at: string | null;
            readers?: (components["schemas"]["NamedRecord"] | null)[];
        };
        /** AgentReader */
        AgentReader: {
            id: string;
            name: string;
            /** @enum {unknown} */
            kind: "fixed_portal" | "handheld_sled" | "phone";
            secret: string;
        };
        /** AgentWithToken */
        AgentWithToken: {
            id: string;
            name: string;
            reader_ids: string[];
            /** @enum {unknown} */
            status: "pending" | "active";
            version: string | null;
            /** Format: date-time */
            last_seen_at: string | null;
            buffer: {
                rows: number;
                /** Format: date-time */
                oldest_at: string | null;
            } | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            token_expires_at: string | null;
            token: string;
            readers?: (components["schemas"]["NamedRecord"] | null)[];
        };
        /** Alert */
        Alert: {
            id: string;
            rule_id: string;
            /** @enum {unknown} */
            status: "open" | "acknowledged" | "resolved";
            subject: string;
            asset_id: string | null;
            zone_id: string | null;
            reader_id: string | null;
            clone: {
                reads: {
                    reader_id: string;
                    zone_id: string | null;
                    location_id: string;
                    property_id: string;
                    /** Format: date-time */
                    at: string;
                    rssi: number | null;
                    event_id: string;
                    reader?: components["schemas"]["NamedRecord"] | null;
                    zone?: components["schemas"]["NamedRecord"] | null;
                    location?: components["schemas"]["NamedRecord"] | null;
                }[];
                travel_seconds: number;
            } | null;
            count: number;
            /** Format: date-time */
            acknowledged_at: string | null;
            /** Format: date-time */
            resolved_at: string | null;
            rule_name: string | null;
            acknowledged_by: string | null;
            resolved_by: string | null;
            /** Format: date-time */
            first_at: string | null;
            /** Format: date-time */
            last_at: string | null;
            rev: number;
            subject_record?: components["schemas"]["NamedAnyRecord"] | null;
            asset?: components["schemas"]["NamedAsset"] | null;
            zone?: components["schemas"]["NamedRecord"] | null;
            reader?: components["schemas"]["NamedRecord"] | null;
            acknowledged_by_user?: components["schemas"]["NamedRecord"] | null;
            resolved_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** AlertCondition */
        AlertCondition: components["schemas"]["SeenInZone"] | components["schemas"]["LeftZone"] | components["schemas"]["ExitPortalUnauthorised"] | components["schemas"]["AfterHours"] | components["schemas"]["UnknownTag"] | components["schemas"]["TagCloned"] | components["schemas"]["StatusMismatch"] | components["schemas"]["NotSeenFor"] | components["schemas"]["ReaderOffline"] | components["schemas"]["ReaderDegraded"];
        /** AlertRule */
        AlertRule: {
            id: string;
            name: string;
            /** @enum {unknown} */
            scope_type: "all" | "zone" | "location" | "category" | "asset";
            scope_id: string | null;
            condition: components["schemas"]["ShownAlertCondition"];
            /** @enum {unknown} */
            channel: "inapp" | "email" | "webhook";
            channel_target: string | null;
            enabled: boolean;
            webhook_status: string | null;
            cooldown_seconds: number;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            scope?: components["schemas"]["NamedAnyRecord"] | null;
        };
        /** ApiKey */
        ApiKey: {
            id: string;
            name: string;
            scopes: string[];
            allowed_addresses: string[];
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            last_used_address: string | null;
            /** Format: date-time */
            created_at: string | null;
            created_by: string | null;
            /** Format: date-time */
            rotated_at: string | null;
            /** Format: date-time */
            previous_valid_until: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            rev: number;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** ApiKeyWithText */
        ApiKeyWithText: {
            id: string;
            name: string;
            scopes: string[];
            allowed_addresses: string[];
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            last_used_address: string | null;
            /** Format: date-time */
            created_at: string | null;
            created_by: string | null;
            /** Format: date-time */
            rotated_at: string | null;
            /** Format: date-time */
            previous_valid_until: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            rev: number;
            key: string;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** Asset */
        Asset: {
            id: string;
            name: string;
            number: string;
            description: string | null;
            category_id: string | null;
            department_id: string | null;
            property_id: string | null;
            building_id: string | null;
            floor_id: string | null;
            location_id: string | null;
            custodian_id: string | null;
            status_id: string | null;
            serial_number: string | null;
            manufacturer: string | null;
            model: string | null;
            cost: number | null;
            salvage_value: number | null;
            useful_life_months: number | null;
            in_service_date: string | null;
            depreciation_method: string | null;
            supplier: string | null;
            purchase_order: string | null;
            invoice_number: string | null;
            custom_fields: {
                [key: string]: unknown;
            } | null;
            nbv: number | null;
            accumulated_depreciation: number | null;
            last_seen: {
                /** Format: date-time */
                at: string | null;
                reader_id: string | null;
                zone_id: string | null;
                location_id: string | null;
                reader?: components["schemas"]["NamedRecord"] | null;
                zone?: components["schemas"]["NamedRecord"] | null;
                location?: components["schemas"]["NamedRecord"] | null;
            } | null;
            /** Format: date-time */
            last_audited_at: string | null;
            tags: {
                id: string;
                /** @enum {unknown} */
                type: "qr" | "barcode" | "rfid" | "nfc";
                epc: string | null;
                code: string | null;
            }[];
            current_checkout: components["schemas"]["Checkout"] | null;
            disposed: components["schemas"]["Disposal"] | null;
            image: components["schemas"]["Image"] | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            created_by: string | null;
            /** Format: date-time */
            updated_at: string | null;
            updated_by: string | null;
            category?: components["schemas"]["NamedRecord"] | null;
            department?: components["schemas"]["NamedRecord"] | null;
            location?: components["schemas"]["NamedRecord"] | null;
            custodian?: components["schemas"]["NamedRecord"] | null;
            status?: components["schemas"]["NamedRecord"] | null;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
            updated_by_user?: components["schemas"]["NamedRecord"] | null;
            thumbnail?: string | null;
        };
        /** AssetChanges */
        AssetChanges: {
            asset_ids: string[];
            change: {
                location_id?: string | null;
                custodian_id?: string | null;
                department_id?: string | null;
                category_id?: string | null;
                status_id?: string | null;
            };
        };
        /** AssetDepreciation */
        AssetDepreciation: {
            asset_id: string;
            books: components["schemas"]["BookDepreciation"][];
            difference: number | null;
            asset?: components["schemas"]["NamedAsset"] | null;
        };
        /** AssetFacets */
        AssetFacets: {
            status?: components["schemas"]["StatusFacet"] | null;
            category?: components["schemas"]["CategoryFacet"] | null;
            location?: components["schemas"]["LocationFacet"] | null;
            /** @constant */
            too_many?: true;
            /** Format: date-time */
            as_of?: string;
        };
        /** AssetPosition */
        AssetPosition: {
            id: string;
            number: string;
            name: string;
            property_id: string | null;
            building_id: string | null;
            floor_id: string | null;
            location_id: string | null;
            custodian_id: string | null;
            status_id: string | null;
            /** Format: date-time */
            as_of: string | null;
            location?: components["schemas"]["NamedRecord"] | null;
            custodian?: components["schemas"]["NamedRecord"] | null;
            status?: components["schemas"]["NamedRecord"] | null;
        };
        /** AssetSighting */
        AssetSighting: {
            sequence: number;
            /** @enum {unknown} */
            change: "arrived" | "moved" | "seen" | "left" | "cloned";
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            received_at: string;
            tag_id: string | null;
            epc: string;
            reader_id: string;
            zone_id: string | null;
            location_id: string | null;
            from_zone_id: string | null;
            from_location_id: string | null;
            directed: boolean;
            unconfirmed: boolean;
            reason: string | null;
            reads: number;
            rssi: number | null;
            event_id: string;
            auto_move_location_id: string | null;
            clone: {
                reads: {
                    reader_id: string;
                    zone_id: string | null;
                    location_id: string;
                    property_id: string;
                    /** Format: date-time */
                    at: string;
                    rssi: number | null;
                    event_id: string;
                    reader?: components["schemas"]["NamedRecord"] | null;
                    zone?: components["schemas"]["NamedRecord"] | null;
                    location?: components["schemas"]["NamedRecord"] | null;
                }[];
                travel_seconds: number;
            } | null;
            reader?: components["schemas"]["NamedRecord"] | null;
            zone?: components["schemas"]["NamedRecord"] | null;
            location?: components["schemas"]["NamedRecord"] | null;
            from_zone?: components["schemas"]["NamedRecord"] | null;
            from_location?: components["schemas"]["NamedRecord"] | null;
            auto_move_location?: components["schemas"]["NamedRecord"] | null;
        };
        /** Attachment */
        Attachment: {
            id: string;
            asset_id: string;
            asset_disposed: boolean;
            name: string;
            description: string | null;
            content_type: string;
            bytes: number;
            sha256: string;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            rev: number;
            asset?: components["schemas"]["NamedAsset"] | null;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** AuditEntry */
        AuditEntry: {
            id: string;
            /** Format: date-time */
            at: string | null;
            actor: {
                /** @enum {unknown} */
                kind: "user" | "api_key" | "reader" | "service" | "operator";
                id: string;
                name?: string | null;
            };
            action: string;
            subject_id: string | null;
            changes: {
                field: string;
                before: string | null;
                after: string | null;
                before_record?: components["schemas"]["NamedAnyRecord"] | null;
                after_record?: components["schemas"]["NamedAnyRecord"] | null;
            }[];
            request_id: string | null;
            client_address: string | null;
            client_request_id: string | null;
            subject?: components["schemas"]["NamedAnyRecord"] | null;
        };
        /** Backtest */
        Backtest: {
            id: string;
            /** @enum {unknown} */
            status: "running" | "done" | "failed";
            progress: {
                done: number;
                total: number;
            };
            rule: {
                /** @enum {unknown} */
                scope_type: "all" | "zone" | "location" | "category" | "asset";
                scope_id: string | null;
                condition: components["schemas"]["ShownAlertCondition"];
                cooldown_seconds: number | null;
                scope?: components["schemas"]["NamedAnyRecord"] | null;
            };
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            sightings: number;
            alerts: number;
            spared_by_cooldown: number;
            days: {
                /** Format: date */
                date: string;
                alerts: number;
            }[];
            subjects: {
                subject: string;
                asset_id: string | null;
                alerts: number;
                asset?: components["schemas"]["NamedAsset"] | null;
            }[];
            first_alerts: {
                subject: string;
                asset_id: string | null;
                /** Format: date-time */
                at: string;
                /** @enum {unknown} */
                kind: "arrived" | "left" | "moved" | "seen" | "unknown_tag" | "cloned";
                /** Format: date-time */
                seen_at: string;
                event_id: string;
                zone_id: string | null;
                reader_id: string | null;
                asset?: components["schemas"]["NamedAsset"] | null;
                zone?: components["schemas"]["NamedRecord"] | null;
                reader?: components["schemas"]["NamedRecord"] | null;
            }[];
            as_of_today: ("category" | "status" | "zones")[];
            error: {
                code: string;
                message: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        /** BatchResult */
        BatchResult: {
            results: {
                index: number;
                /** @enum {unknown} */
                status: "accepted" | "duplicate" | "rejected";
                event_id?: string;
                code?: string;
                message?: string;
                errors?: {
                    field: string;
                    message: string;
                }[];
            }[];
        };
        /** BookDepreciation */
        BookDepreciation: {
            /** @enum {unknown} */
            book: "book" | "tax";
            profile: components["schemas"]["DepreciationProfile"] | null;
            nbv: number | null;
            accumulated: number;
            disposal: components["schemas"]["DepreciationDisposal"] | null;
            lines: {
                period: {
                    year: number;
                    month: number;
                };
                /** @enum {unknown} */
                kind: "charge" | "impairment" | "disposal" | "reversal";
                /** @enum {unknown} */
                status: "posted" | "forecast";
                opening_nbv: number;
                amount: number;
                closing_nbv: number;
                derivation: string;
            }[];
        };
        /** Building */
        Building: {
            id: string;
            name: string | null;
            property_id: string | null;
            code: string | null;
            placing: {
                done: number;
                total: number;
            } | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
        };
        /** Calibration */
        Calibration: {
            id: string;
            asset_id: string;
            asset_disposed: boolean;
            pm_schedule_id: string | null;
            work_order_id: string | null;
            /** @enum {unknown} */
            result: "passed" | "failed";
            /** Format: date */
            performed_on: string;
            performed_by: string | null;
            measured: {
                name: string;
                value: number;
                unit: string | null;
                tolerance: number | null;
            }[];
            certificate_attachment_id: string | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            asset?: components["schemas"]["NamedAsset"] | null;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** CalibrationOfOrder */
        CalibrationOfOrder: {
            /** @enum {unknown} */
            result: "passed" | "failed";
            /** Format: date */
            performed_on?: string | null;
            performed_by?: string | null;
            measured?: {
                name: string;
                value: number;
                unit?: string | null;
                tolerance?: number | null;
            }[] | null;
            certificate_attachment_id?: string | null;
        };
        /** Category */
        Category: {
            id: string;
            name: string | null;
            code: string | null;
            parent_id: string | null;
            depreciation: {
                method: string | null;
                useful_life_months: number | null;
                salvage_percent: number | null;
                convention: string | null;
            } | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            parent?: components["schemas"]["NamedRecord"] | null;
        };
        /** CategoryFacet */
        CategoryFacet: {
            values: {
                id: string | null;
                name: string | null;
                count: number;
            }[];
            other: number;
            is_exact: boolean;
        };
        /** CategoryReportRow */
        CategoryReportRow: {
            id: string | null;
            name: string | null;
            count: number;
            cost: number;
            nbv: number;
        };
        /** ChangedAssets */
        ChangedAssets: {
            results: {
                index: number;
                id?: string;
                /** @enum {unknown} */
                status: "changed" | "unchanged" | "rejected";
                rev?: number;
                code?: string;
                message?: string;
                errors?: {
                    field: string;
                    message: string;
                }[];
            }[];
        };
        /** Checkout */
        Checkout: {
            id: string;
            asset_id: string;
            /** @enum {unknown} */
            status: "open" | "returned";
            /** @enum {unknown} */
            issued_to_type: "custodian" | "department" | "location" | "external";
            issued_to_id: string | null;
            issued_to_name: string | null;
            /** Format: date-time */
            issued_at: string | null;
            /** Format: date-time */
            due_at: string | null;
            overdue: boolean;
            condition_out: string | null;
            condition_in: string | null;
            note: string | null;
            note_in: string | null;
            /** Format: date-time */
            returned_at: string | null;
            returned_late: boolean;
            needs_inspection: boolean;
            rev: number;
            asset?: components["schemas"]["NamedAsset"] | null;
            issued_to?: components["schemas"]["NamedRecord"] | null;
        };
        /** Commission */
        Commission: {
            /** @enum {unknown} */
            type?: "qr" | "barcode" | "rfid" | "nfc" | null;
            epc?: string | null;
            code?: string | null;
            asset_id: string;
        };
        /** Contract */
        Contract: {
            id: string;
            /** @enum {unknown} */
            type: "warranty" | "service" | "insurance";
            asset_id: string;
            asset_name: string | null;
            asset_disposed: boolean;
            provider: string | null;
            reference: string | null;
            /** Format: date */
            starts_on: string;
            /** Format: date */
            ends_on: string | null;
            cost: number | null;
            notes: string | null;
            /** @enum {unknown} */
            status: "cancelled" | "upcoming" | "expired" | "expiring" | "active";
            /** Format: date-time */
            cancelled_at: string | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            rev: number;
            asset?: components["schemas"]["NamedAsset"] | null;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** CreatedAlertRule */
        CreatedAlertRule: {
            id: string;
            name: string;
            /** @enum {unknown} */
            scope_type: "all" | "zone" | "location" | "category" | "asset";
            scope_id: string | null;
            condition: components["schemas"]["ShownAlertCondition"];
            /** @enum {unknown} */
            channel: "inapp" | "email" | "webhook";
            channel_target: string | null;
            enabled: boolean;
            webhook_status: string | null;
            cooldown_seconds: number;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            secret?: string;
            scope?: components["schemas"]["NamedAnyRecord"] | null;
        };
        /** CreatedAssets */
        CreatedAssets: {
            results: {
                index: number;
                /** @enum {unknown} */
                status: "created" | "rejected";
                id?: string;
                number?: string;
                stripped_fields?: string[];
                ignored_fields?: string[];
                code?: string;
                message?: string;
                errors?: {
                    field: string;
                    message: string;
                }[];
            }[];
        };
        /** Custodian */
        Custodian: {
            id: string;
            name: string | null;
            /** Format: email */
            email: string | null;
            employee_no: string | null;
            department_id: string | null;
            user_id: string | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            department?: components["schemas"]["NamedRecord"] | null;
            user?: components["schemas"]["NamedRecord"] | null;
        };
        /** CustodianReportRow */
        CustodianReportRow: {
            id: string | null;
            name: string | null;
            count: number;
            cost: number;
            nbv: number;
        };
        /** CustomField */
        CustomField: {
            id: string;
            key: string;
            label: string;
            /** @enum {unknown} */
            type: "text" | "textarea" | "number" | "boolean" | "date" | "datetime" | "select" | "multiselect" | "url" | "email";
            required: boolean;
            unique: boolean;
            options: {
                value: string;
                label: string | null;
                active: boolean | null;
            }[];
            min: number | string | null;
            max: number | string | null;
            pattern: string | null;
            category_ids: string[];
            position: number | null;
            /** @enum {unknown} */
            status: "active" | "indexing";
            progress: {
                done: number;
                total: number;
            } | null;
            error: {
                code: string;
                message: string;
            } | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            categories?: (components["schemas"]["NamedRecord"] | null)[];
        };
        /** DeletedAsset */
        DeletedAsset: {
            id: string;
            /** Format: date-time */
            deleted_at: string;
        };
        /** Delivery */
        Delivery: {
            id: string;
            message_id: string;
            type: string;
            /** @enum {unknown} */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            last_response_status: number | null;
            last_response_excerpt: string | null;
            last_duration_ms: number | null;
            last_error: string | null;
            recipient: string | null;
            /** Format: date-time */
            created_at: string | null;
        };
        /** Department */
        Department: {
            id: string;
            name: string | null;
            code: string | null;
            parent_id: string | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            parent?: components["schemas"]["NamedRecord"] | null;
        };
        /** DepreciationDisposal */
        DepreciationDisposal: {
            id: string;
            asset_id: string;
            /** @enum {unknown} */
            book: "book" | "tax";
            /** Format: date */
            date: string;
            /** @enum {unknown} */
            method: "sold" | "scrapped" | "donated" | "lost" | "transferred";
            proceeds: number;
            /** @enum {unknown} */
            status: "pending" | "accounted";
            nbv_at_disposal: number | null;
            accumulated: number | null;
            gain_loss: number | null;
            booked_in: string | null;
            journal: {
                category_id: string | null;
                debit_account: string;
                credit_account: string;
                amount: number;
                booked_in: string | null;
                category?: components["schemas"]["NamedRecord"] | null;
            }[];
            asset?: components["schemas"]["NamedAsset"] | null;
        };
        /** DepreciationProfile */
        DepreciationProfile: {
            id: string;
            asset_id: string;
            /** @enum {unknown} */
            book: "book" | "tax";
            /** @enum {unknown} */
            method: "straight_line" | "declining_balance" | "sum_of_years_digits" | "units_of_production" | "manual" | "macrs";
            /** @enum {unknown} */
            convention: "full_month" | "next_month" | "mid_month" | "daily" | "half_year" | "mid_quarter";
            cost: number;
            salvage: number;
            life_months: number | null;
            /** Format: date */
            in_service_date: string;
            factor: number | null;
            rate: number | null;
            switch_to_sl: boolean | null;
            macrs_class: string | null;
            total_units: number | null;
            opening_accumulated: number;
            /** Format: date */
            opening_on: string | null;
            /** Format: date */
            held_for_sale_on: string | null;
            fiscal_year_start: number;
            asset_rev: number | null;
            changes: components["schemas"]["ProfileChange"][];
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** Format: date-time */
            updated_at: string;
            rev: number;
            asset?: components["schemas"]["NamedAsset"] | null;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** DepreciationReport */
        DepreciationReport: {
            from: string;
            to: string;
            books: {
                /** @enum {unknown} */
                book: "book" | "tax";
                rows: {
                    category_id: string | null;
                    name: string | null;
                    charged: number;
                    impaired: number;
                    reversed: number;
                    disposed: number;
                    nbv: number;
                    category?: components["schemas"]["NamedRecord"] | null;
                }[];
                disposals: {
                    count: number;
                    proceeds: number;
                    gain_loss: number;
                };
            }[];
            difference: {
                category_id: string | null;
                name: string | null;
                amount: number;
                category?: components["schemas"]["NamedRecord"] | null;
            }[];
            pending_write_off: {
                count: number;
                nbv: number;
                assets: string[];
            };
        };
        /** DepreciationRun */
        DepreciationRun: {
            id: string;
            /** @enum {unknown} */
            book: "book" | "tax";
            year: number;
            month: number;
            /** @enum {unknown} */
            status: "computing" | "draft" | "posting" | "posted" | "failed" | "discarded";
            progress: {
                done: number;
                total: number;
            };
            stale: boolean;
            totals: {
                assets: number;
                lines: number;
                current: number;
                catch_up: number;
                impairment: number;
            };
            warnings: {
                asset_id: string;
                code: string;
                months: number | null;
                asset?: components["schemas"]["NamedAsset"] | null;
            }[];
            skipped: components["schemas"]["SkippedAsset"][];
            skipped_count: number;
            journal: {
                category_id: string | null;
                debit_account: string;
                credit_account: string;
                amount: number;
                category?: components["schemas"]["NamedRecord"] | null;
            }[];
            error: {
                code: string;
                message: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** Format: date-time */
            posted_at: string | null;
            posted_by: string | null;
            rev: number;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
            posted_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** DepreciationRunLine */
        DepreciationRunLine: {
            run_id: string;
            asset_id: string;
            period: {
                year: number;
                month: number;
            };
            /** @enum {unknown} */
            kind: "charge" | "impairment";
            opening_nbv: number;
            amount: number;
            closing_nbv: number;
            derivation: string;
            fingerprint: string;
            asset?: components["schemas"]["NamedAsset"] | null;
        };
        /** Device */
        Device: {
            /** Format: uuid */
            device_uuid: string;
            label: string | null;
            platform: string | null;
            app_version: string | null;
            user_id: string;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            last_seen_at: string | null;
            current: boolean;
            /** Format: date-time */
            revoked_at: string | null;
            user?: components["schemas"]["NamedRecord"] | null;
        };
        /** Disposal */
        Disposal: {
            /** Format: date-time */
            at: string | null;
            date: string;
            /** @enum {unknown} */
            method: "sold" | "scrapped" | "donated" | "lost" | "transferred";
            proceeds: number | null;
            note: string | null;
            by: string | null;
            gain_loss: number | null;
            by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** DueRow */
        DueRow: {
            id: string;
            pm_schedule_id: string;
            schedule_title: string;
            asset_id: string;
            asset_name: string | null;
            /** Format: date */
            next_due_on: string | null;
            next_due_meter: number | null;
            /** Format: date */
            open_from: string | null;
            /** Format: date */
            last_completed_on: string | null;
            last_completed_meter: number | null;
            work_order_id: string | null;
            asset?: components["schemas"]["NamedAsset"] | null;
        };
        /** EnrolledAgent */
        EnrolledAgent: {
            agent: components["schemas"]["Agent"];
            readers: components["schemas"]["AgentReader"][];
            secret: string;
        };
        /** Event */
        Event: {
            id: string;
            type: string;
            /** Format: date-time */
            timestamp: string;
            workspace_id: string;
            data: {
                [key: string]: unknown;
            };
            cursor: string;
        };
        /** ExitPortalUnauthorised */
        ExitPortalUnauthorised: {
            /** @constant */
            type: "exit_portal_unauthorised";
            zone_id: string;
        };
        /** ExpectedAsset */
        ExpectedAsset: {
            asset_id: string;
            number: string;
            name: string;
            location_id: string | null;
            custodian_id: string | null;
            status_id: string;
            status_key: string;
            scanned: boolean;
            asset?: components["schemas"]["NamedAsset"] | null;
            location?: components["schemas"]["NamedRecord"] | null;
            custodian?: components["schemas"]["NamedRecord"] | null;
            status?: components["schemas"]["NamedRecord"] | null;
        };
        /** Floor */
        Floor: {
            id: string;
            name: string | null;
            building_id: string | null;
            level: number | null;
            placing: {
                done: number;
                total: number;
            } | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
        };
        /** GenerateWorkOrders */
        GenerateWorkOrders: {
            asset_ids?: string[] | null;
        };
        /** GeneratedWorkOrders */
        GeneratedWorkOrders: {
            work_order?: components["schemas"]["WorkOrder"];
            created?: boolean;
            results?: {
                index: number;
                /** @enum {unknown} */
                status: "created" | "existing";
                asset_id: string;
                work_order_id: string;
                asset?: components["schemas"]["NamedAsset"] | null;
            }[];
        };
        /** GetAgentsResponse */
        GetAgentsResponse: {
            data: components["schemas"]["Agent"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetAlertRulesByIdDeliveriesResponse */
        GetAlertRulesByIdDeliveriesResponse: {
            data: components["schemas"]["Delivery"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetAlertRulesResponse */
        GetAlertRulesResponse: {
            data: components["schemas"]["AlertRule"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetAlertsResponse */
        GetAlertsResponse: {
            data: components["schemas"]["Alert"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetApiKeysResponse */
        GetApiKeysResponse: {
            data: components["schemas"]["ApiKey"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetAssetsByIdAttachmentsResponse */
        GetAssetsByIdAttachmentsResponse: {
            data: components["schemas"]["Attachment"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetAssetsByIdCalibrationsResponse */
        GetAssetsByIdCalibrationsResponse: {
            data: components["schemas"]["Calibration"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetAssetsByIdCheckoutsResponse */
        GetAssetsByIdCheckoutsResponse: {
            data: components["schemas"]["Checkout"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetAssetsByIdDeprProfilesResponse */
        GetAssetsByIdDeprProfilesResponse: {
            data: components["schemas"]["DepreciationProfile"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetAssetsByIdHistoryResponse */
        GetAssetsByIdHistoryResponse: {
            data: components["schemas"]["HistoryEntry"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetAssetsByIdMeterReadingsResponse */
        GetAssetsByIdMeterReadingsResponse: {
            data: components["schemas"]["MeterReading"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetAssetsByIdMovementsResponse */
        GetAssetsByIdMovementsResponse: {
            data: components["schemas"]["Movement"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetAssetsByIdSightingsResponse */
        GetAssetsByIdSightingsResponse: {
            data: components["schemas"]["AssetSighting"][];
            next_cursor?: string;
        };
        /** GetAssetsByIdWorkOrdersResponse */
        GetAssetsByIdWorkOrdersResponse: {
            data: components["schemas"]["WorkOrder"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
            downtime_minutes: number;
        };
        /** GetAssetsResponse */
        GetAssetsResponse: {
            data: (components["schemas"]["Asset"] | components["schemas"]["DeletedAsset"])[];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
            /** Format: date-time */
            next_updated_since?: string;
        };
        /** GetAuditLogResponse */
        GetAuditLogResponse: {
            data: components["schemas"]["AuditEntry"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetBuildingsResponse */
        GetBuildingsResponse: {
            data: components["schemas"]["Building"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetCalibrationsDueResponse */
        GetCalibrationsDueResponse: {
            data: components["schemas"]["DueRow"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetCategoriesResponse */
        GetCategoriesResponse: {
            data: components["schemas"]["Category"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetCheckoutsResponse */
        GetCheckoutsResponse: {
            data: components["schemas"]["Checkout"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetContractsExpiringResponse */
        GetContractsExpiringResponse: {
            data: components["schemas"]["Contract"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetContractsResponse */
        GetContractsResponse: {
            data: components["schemas"]["Contract"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetCustodiansResponse */
        GetCustodiansResponse: {
            data: components["schemas"]["Custodian"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetCustomFieldsResponse */
        GetCustomFieldsResponse: {
            data: components["schemas"]["CustomField"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetDepartmentsResponse */
        GetDepartmentsResponse: {
            data: components["schemas"]["Department"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetDepreciationDisposalsResponse */
        GetDepreciationDisposalsResponse: {
            data: components["schemas"]["DepreciationDisposal"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetDepreciationRunsByIdLinesResponse */
        GetDepreciationRunsByIdLinesResponse: {
            data: (components["schemas"]["DepreciationRunLine"] | components["schemas"]["SkippedAsset"])[];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetDepreciationRunsResponse */
        GetDepreciationRunsResponse: {
            data: components["schemas"]["DepreciationRun"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetDevicesResponse */
        GetDevicesResponse: {
            data: components["schemas"]["Device"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetEventsResponse */
        GetEventsResponse: {
            data: components["schemas"]["Event"][];
            next_after: string;
            has_more: boolean;
        };
        /** GetFloorsResponse */
        GetFloorsResponse: {
            data: components["schemas"]["Floor"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetImportAssetsByIdRowsResponse */
        GetImportAssetsByIdRowsResponse: {
            data: components["schemas"]["ImportRow"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetLocationsResponse */
        GetLocationsResponse: {
            data: components["schemas"]["Location"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetLocationsTreeResponse */
        GetLocationsTreeResponse: {
            data: components["schemas"]["PlaceNode"][];
        };
        /** GetMaintenanceDueResponse */
        GetMaintenanceDueResponse: {
            data: components["schemas"]["DueRow"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetMePasskeysResponse */
        GetMePasskeysResponse: {
            data: components["schemas"]["Passkey"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetMovementsResponse */
        GetMovementsResponse: {
            data: components["schemas"]["Movement"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetNoticesResponse */
        GetNoticesResponse: {
            data: components["schemas"]["Notice"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetPmSchedulesByIdDueResponse */
        GetPmSchedulesByIdDueResponse: {
            data: components["schemas"]["DueRow"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetPmSchedulesResponse */
        GetPmSchedulesResponse: {
            data: components["schemas"]["PmSchedule"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetPropertiesResponse */
        GetPropertiesResponse: {
            data: components["schemas"]["Property"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetReadersByIdActivityResponse */
        GetReadersByIdActivityResponse: {
            data: components["schemas"]["ReaderActivity"][];
        };
        /** GetReadersByIdReadsResponse */
        GetReadersByIdReadsResponse: {
            data: components["schemas"]["TagRead"][];
            next_cursor?: string;
        };
        /** GetReadersResponse */
        GetReadersResponse: {
            data: components["schemas"]["Reader"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetReportsByCategoryResponse */
        GetReportsByCategoryResponse: {
            data: components["schemas"]["CategoryReportRow"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetReportsByCustodianResponse */
        GetReportsByCustodianResponse: {
            data: components["schemas"]["CustodianReportRow"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetReportsByLocationResponse */
        GetReportsByLocationResponse: {
            data: components["schemas"]["LocationReportRow"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetReportsValueResponse */
        GetReportsValueResponse: {
            data: components["schemas"]["ValueRow"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
            /** Format: date-time */
            as_of?: string;
        };
        /** GetSsoDomainsResponse */
        GetSsoDomainsResponse: {
            data: components["schemas"]["SsoDomain"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetSsoStartResponse */
        GetSsoStartResponse: {
            location: string;
        };
        /** GetStatusesResponse */
        GetStatusesResponse: {
            data: components["schemas"]["Status"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetStocktakeSessionsByIdExpectedResponse */
        GetStocktakeSessionsByIdExpectedResponse: {
            data: components["schemas"]["ExpectedAsset"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetStocktakeSessionsByIdScansResponse */
        GetStocktakeSessionsByIdScansResponse: {
            data: components["schemas"]["StocktakeScan"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetStocktakeSessionsByIdVariancesResponse */
        GetStocktakeSessionsByIdVariancesResponse: {
            data: components["schemas"]["StocktakeVariance"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetStocktakeSessionsResponse */
        GetStocktakeSessionsResponse: {
            data: components["schemas"]["StocktakeSession"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetTagsByIdReadsResponse */
        GetTagsByIdReadsResponse: {
            data: components["schemas"]["TagRead"][];
            next_cursor?: string;
        };
        /** GetTagsResponse */
        GetTagsResponse: {
            data: components["schemas"]["Tag"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetUsersResponse */
        GetUsersResponse: {
            data: components["schemas"]["UserAccount"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetWebhooksByIdDeliveriesResponse */
        GetWebhooksByIdDeliveriesResponse: {
            data: components["schemas"]["Delivery"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetWebhooksResponse */
        GetWebhooksResponse: {
            data: components["schemas"]["Webhook"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetWorkOrdersResponse */
        GetWorkOrdersResponse: {
            data: components["schemas"]["WorkOrder"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** GetZonesByIdPresenceResponse */
        GetZonesByIdPresenceResponse: {
            data: components["schemas"]["PresentTag"][];
            next_cursor?: string;
        };
        /** GetZonesPresenceResponse */
        GetZonesPresenceResponse: {
            data: components["schemas"]["ZonePresence"][];
        };
        /** GetZonesResponse */
        GetZonesResponse: {
            data: components["schemas"]["Zone"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** HistoryEntry */
        HistoryEntry: {
            id: string;
            asset_id: string;
            /** Format: date-time */
            at: string | null;
            actor: {
                /** @enum {unknown} */
                kind: "user" | "api_key" | "reader" | "service" | "operator";
                id: string;
                name?: string | null;
            };
            /** @enum {unknown} */
            action: "created" | "updated" | "moved" | "status" | "checked_out" | "returned" | "disposed" | "deleted" | "counted" | "tagged" | "untagged";
            changes: {
                field: string;
                before: string | null;
                after: string | null;
                before_record?: components["schemas"]["NamedAnyRecord"] | null;
                after_record?: components["schemas"]["NamedAnyRecord"] | null;
            }[];
            note: string | null;
            request_id: string | null;
            asset?: components["schemas"]["NamedAsset"] | null;
        };
        /** Home */
        Home: {
            alerts_open: {
                count: number;
                count_is_exact: boolean;
                href: string;
            } | null;
            checkouts_overdue: {
                count: number;
                count_is_exact: boolean;
                href: string;
            } | null;
            maintenance_due: {
                count: number;
                count_is_exact: boolean;
                href: string;
            } | null;
            calibrations_due: {
                count: number;
                count_is_exact: boolean;
                href: string;
            } | null;
            contracts_expiring: {
                count: number;
                count_is_exact: boolean;
                href: string;
            } | null;
            counts_in_progress: {
                count: number;
                count_is_exact: boolean;
                href: string;
            } | null;
            readers_silent?: {
                count: number;
                count_is_exact: boolean;
                href: string;
            } | null;
        };
        /** Image */
        Image: {
            content_type: string;
            bytes: number;
            sha256: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** Import */
        Import: {
            id: string;
            /** @enum {unknown} */
            status: "validating" | "importing" | "done" | "done_with_errors" | "failed";
            progress: {
                done: number;
                total: number;
            };
            dry_run: boolean;
            /** @enum {unknown} */
            mode: "all_or_nothing" | "skip_bad";
            /** @enum {unknown} */
            on_existing: "skip" | "update";
            /** @enum {unknown} */
            references: "id" | "code" | "name";
            allow_unnumbered: boolean;
            counts: {
                created: number;
                updated: number;
                unchanged: number;
                rejected: number;
            };
            errors: {
                row: number;
                field: string | null;
                column: string | null;
                value: string | null;
                code: string;
                message: string;
            }[];
            ignored_columns: {
                column: string;
                reason: string;
            }[];
            error: {
                code: string;
                message: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** Format: date-time */
            finished_at: string | null;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** ImportRow */
        ImportRow: {
            row: number;
            /** @enum {unknown} */
            status: "pending" | "created" | "updated" | "unchanged" | "rejected";
            asset_id: string | null;
            number: string | null;
            errors: {
                field: string | null;
                column: string | null;
                value: string | null;
                code: string;
                message: string;
            }[];
            asset?: components["schemas"]["NamedAsset"] | null;
        };
        /** InvitedUser */
        InvitedUser: {
            id: string;
            email: string;
            name: string;
            capabilities: string[];
            admin: boolean;
            /** @enum {unknown} */
            status: "invited" | "active" | "disabled";
            mfa: boolean;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            /** Format: date-time */
            last_signed_in_at: string | null;
            /** Format: date-time */
            invitation_expires_at: string | null;
            token?: string;
        };
        /** JudgedHealth */
        JudgedHealth: {
            /** @enum {unknown} */
            state: "ok" | "degraded";
            reasons: ("blind" | "clock_skew" | "signatures" | "rejected")[];
            /** Format: date-time */
            since: string | null;
        };
        /** LabelSheet */
        LabelSheet: {
            id: string;
            /** @enum {unknown} */
            status: "making" | "ready" | "failed";
            progress: {
                done: number;
                total: number;
            };
            /** @enum {unknown} */
            template: "5160" | "5167" | "l7651" | "l7160" | "l4731" | "50x25" | "70x32" | "100x50";
            /** @enum {unknown} */
            format: "pdf" | "zpl";
            /** @enum {unknown} */
            code: "qr" | "datamatrix" | "code128";
            start_at: number;
            content: ("number" | "name" | "workspace_name")[];
            text: string | null;
            /** @enum {unknown} */
            dpi: 203 | 300;
            /** @enum {unknown} */
            missing_tags: "skip" | "bind";
            labels: number;
            skipped: {
                asset_id: string;
                /** @enum {unknown} */
                code: "NOT_FOUND" | "ASSET_DISPOSED" | "ASSET_TAKES_NO_TAG" | "TAG_MISSING" | "CODE_DOES_NOT_FIT";
                asset?: components["schemas"]["NamedAsset"] | null;
            }[];
            error: {
                code: string;
                message: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** Format: date-time */
            expires_at: string;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** LeftZone */
        LeftZone: {
            /** @constant */
            type: "left_zone";
            zone_id: string;
        };
        /** Limits */
        Limits: {
            requests_per_minute: number;
            request_burst: number;
            max_per_page: number;
            max_body_bytes: number;
            max_events_per_batch: number;
        };
        /** Location */
        Location: {
            id: string;
            name: string | null;
            code: string | null;
            floor_id: string | null;
            property_id: string | null;
            parent_id: string | null;
            placing: {
                done: number;
                total: number;
            } | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            parent?: components["schemas"]["NamedRecord"] | null;
        };
        /** LocationFacet */
        LocationFacet: {
            values: {
                id: string | null;
                name: string | null;
                count: number;
            }[];
            other: number;
            is_exact: boolean;
        };
        /** LocationReportRow */
        LocationReportRow: {
            id: string | null;
            name: string | null;
            count: number;
            cost: number;
            nbv: number;
        };
        /** Me */
        Me: {
            user: components["schemas"]["User"];
            workspace_id: string;
            capabilities: string[];
            /** Format: uuid */
            device_uuid: string;
            mfa_enrolment_required: boolean;
        };
        /** MeterReading */
        MeterReading: {
            id: string;
            asset_id: string;
            asset_disposed: boolean;
            value: number;
            unit: string | null;
            /** Format: date-time */
            read_at: string;
            reset: boolean;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            asset?: components["schemas"]["NamedAsset"] | null;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** Mfa */
        Mfa: {
            totp: boolean;
            passkeys: number;
            recovery_codes_left: number;
            password: boolean;
        };
        /** Move */
        Move: {
            id?: string;
            asset_id?: string;
            from_location_id?: string | null;
            from_custodian_id?: string | null;
            to_location_id?: string | null;
            to_custodian_id?: string | null;
            reason?: string | null;
            ref?: string | null;
            note?: string | null;
            /** Format: date-time */
            at?: string | null;
            by?: string | null;
            changed: boolean;
            asset?: components["schemas"]["NamedAsset"] | null;
            from_location?: components["schemas"]["NamedRecord"] | null;
            from_custodian?: components["schemas"]["NamedRecord"] | null;
            to_location?: components["schemas"]["NamedRecord"] | null;
            to_custodian?: components["schemas"]["NamedRecord"] | null;
            by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** Movement */
        Movement: {
            id: string;
            asset_id: string;
            from_location_id: string | null;
            from_custodian_id: string | null;
            to_location_id: string | null;
            to_custodian_id: string | null;
            reason: string | null;
            ref: string | null;
            note: string | null;
            /** Format: date-time */
            at: string | null;
            by: string | null;
            asset?: components["schemas"]["NamedAsset"] | null;
            from_location?: components["schemas"]["NamedRecord"] | null;
            from_custodian?: components["schemas"]["NamedRecord"] | null;
            to_location?: components["schemas"]["NamedRecord"] | null;
            to_custodian?: components["schemas"]["NamedRecord"] | null;
            by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** NamedAnyRecord */
        NamedAnyRecord: {
            id: string;
            name: string;
            number?: string;
        };
        /** NamedAsset */
        NamedAsset: {
            id: string;
            number: string;
            name: string;
        };
        /** NamedRecord */
        NamedRecord: {
            id: string;
            name: string;
        };
        /** NewAlertRule */
        NewAlertRule: {
            name: string;
            /** @enum {unknown} */
            scope_type: "all" | "zone" | "location" | "category" | "asset";
            scope_id?: string | null;
            condition: components["schemas"]["AlertCondition"];
            /** @enum {unknown} */
            channel: "inapp" | "email" | "webhook";
            channel_target?: string | null;
            /** @default true */
            enabled: boolean | null;
            cooldown_seconds?: number | null;
        };
        /** NewAsset */
        NewAsset: {
            name: string;
            number?: string | null;
            description?: string | null;
            category_id?: string | null;
            department_id?: string | null;
            property_id?: string | null;
            building_id?: string | null;
            floor_id?: string | null;
            location_id?: string | null;
            custodian_id?: string | null;
            status_id?: string | null;
            serial_number?: string | null;
            manufacturer?: string | null;
            model?: string | null;
            cost?: number | string | null;
            salvage_value?: number | string | null;
            useful_life_months?: number | null;
            /** Format: date */
            in_service_date?: string | null;
            /** @enum {unknown} */
            depreciation_method?: "straight_line" | "declining_balance" | "sum_of_years_digits" | "units_of_production" | "manual" | "macrs" | null;
            supplier?: string | null;
            purchase_order?: string | null;
            invoice_number?: string | null;
            custom_fields?: {
                [key: string]: string | number | boolean | string[] | null;
            } | null;
        };
        /** NewAssetItem */
        NewAssetItem: {
            name: string;
            number?: string | null;
            description?: string | null;
            category_id?: string | null;
            department_id?: string | null;
            property_id?: string | null;
            building_id?: string | null;
            floor_id?: string | null;
            location_id?: string | null;
            custodian_id?: string | null;
            status_id?: string | null;
            serial_number?: string | null;
            manufacturer?: string | null;
            model?: string | null;
            cost?: number | string | null;
            salvage_value?: number | string | null;
            useful_life_months?: number | null;
            /** Format: date */
            in_service_date?: string | null;
            /** @enum {unknown} */
            depreciation_method?: "straight_line" | "declining_balance" | "sum_of_years_digits" | "units_of_production" | "manual" | "macrs" | null;
            supplier?: string | null;
            purchase_order?: string | null;
            invoice_number?: string | null;
            custom_fields?: {
                [key: string]: string | number | boolean | string[] | null;
            } | null;
        };
        /** NewAssets */
        NewAssets: {
            assets: components["schemas"]["NewAssetItem"][];
        };
        /** NewBuilding */
        NewBuilding: {
            name: string;
            property_id: string;
            code?: string | null;
        };
        /** NewCalibration */
        NewCalibration: {
            pm_schedule_id?: string | null;
            /** @enum {unknown} */
            result: "passed" | "failed";
            /** Format: date */
            performed_on?: string | null;
            performed_by?: string | null;
            measured?: {
                name: string;
                value: number;
                unit?: string | null;
                tolerance?: number | null;
            }[] | null;
            certificate_attachment_id?: string | null;
        };
        /** NewCategory */
        NewCategory: {
            name: string;
            code?: string | null;
            parent_id?: string | null;
            depreciation?: {
                /** @enum {unknown} */
                method?: "straight_line" | "declining_balance" | "sum_of_years_digits" | "units_of_production" | "manual" | "macrs" | null;
                useful_life_months?: number | null;
                salvage_percent?: number | null;
                /** @enum {unknown} */
                convention?: "full_month" | "next_month" | "mid_month" | "daily" | "half_year" | "mid_quarter" | null;
            } | null;
        };
        /** NewContract */
        NewContract: {
            /** @enum {unknown} */
            type: "warranty" | "service" | "insurance";
            asset_id: string;
            provider?: string | null;
            reference?: string | null;
            /** Format: date */
            starts_on: string;
            /** Format: date */
            ends_on?: string | null;
            cost?: number | string | null;
            notes?: string | null;
        };
        /** NewCustodian */
        NewCustodian: {
            name: string;
            /** Format: email */
            email?: string | null;
            employee_no?: string | null;
            department_id?: string | null;
            user_id?: string | null;
        };
        /** NewCustomField */
        NewCustomField: {
            key: string;
            label: string;
            /** @enum {unknown} */
            type: "text" | "textarea" | "number" | "boolean" | "date" | "datetime" | "select" | "multiselect" | "url" | "email";
            required?: boolean | null;
            unique?: boolean | null;
            options?: {
                value: string;
                label?: string | null;
                active?: boolean | null;
            }[] | null;
            min?: number | string | null;
            max?: number | string | null;
            pattern?: string | null;
            category_ids?: string[] | null;
            position?: number | null;
        };
        /** NewDepartment */
        NewDepartment: {
            name: string;
            code?: string | null;
            parent_id?: string | null;
        };
        /** NewDepreciationProfile */
        NewDepreciationProfile: {
            /** @enum {unknown} */
            book?: "book" | "tax" | null;
            /** @enum {unknown} */
            method?: "straight_line" | "declining_balance" | "sum_of_years_digits" | "units_of_production" | "manual" | "macrs" | null;
            /** @enum {unknown} */
            convention?: "full_month" | "next_month" | "mid_month" | "daily" | "half_year" | "mid_quarter" | null;
            cost?: number | string | null;
            salvage?: number | string | null;
            life_months?: number | null;
            /** Format: date */
            in_service_date?: string | null;
            factor?: number | null;
            rate?: number | null;
            switch_to_sl?: boolean | null;
            /** @enum {unknown} */
            macrs_class?: "3y" | "5y" | "7y" | "10y" | "15y" | "20y" | "39y" | null;
            total_units?: number | null;
            opening_accumulated?: number | string | null;
            /** Format: date */
            opening_on?: string | null;
            /** Format: date */
            held_for_sale_on?: string | null;
            impairment?: {
                amount: number | string;
                /** Format: date */
                on: string;
            } | null;
            /** Format: date */
            effective_on?: string | null;
        };
        /** NewDepreciationRun */
        NewDepreciationRun: {
            /** @enum {unknown} */
            book?: "book" | "tax" | null;
            year: number;
            month: number;
        };
        /** NewFloor */
        NewFloor: {
            name: string;
            building_id: string;
            level?: number | null;
        };
        /** NewLabelSheet */
        NewLabelSheet: {
            asset_ids?: string[] | null;
            filter?: {
                category_id?: string | null;
                property_id?: string | null;
                location_id?: string | null;
                status_id?: string | null;
                custodian_id?: string | null;
                q?: string | null;
            } | null;
            /** @enum {unknown} */
            template: "5160" | "5167" | "l7651" | "l7160" | "l4731" | "50x25" | "70x32" | "100x50";
            /** @enum {unknown} */
            format?: "pdf" | "zpl" | null;
            /** @enum {unknown} */
            code?: "qr" | "datamatrix" | "code128" | null;
            start_at?: number | null;
            content?: ("number" | "name" | "workspace_name")[] | null;
            text?: string | null;
            /** @enum {unknown} */
            dpi?: 203 | 300 | null;
            /** @enum {unknown} */
            missing_tags?: "skip" | "bind" | null;
        };
        /** NewLocation */
        NewLocation: {
            name: string;
            code?: string | null;
            floor_id?: string | null;
            property_id?: string | null;
            parent_id?: string | null;
        };
        /** NewMeterReading */
        NewMeterReading: {
            value: number;
            unit?: string | null;
            /** Format: date-time */
            read_at?: string | null;
            /** @default false */
            reset: boolean | null;
        };
        /** NewPasskey */
        NewPasskey: {
            id: string;
            name: string;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            unusable: boolean;
            synced: boolean;
            rev: number;
            recovery_codes: string[];
        };
        /** NewPmSchedule */
        NewPmSchedule: {
            asset_id?: string | null;
            category_id?: string | null;
            title: string;
            interval_value?: number | null;
            /** @enum {unknown} */
            interval_unit?: "day" | "week" | "month" | "year" | null;
            meter_interval?: number | null;
            /** @enum {unknown} */
            basis?: "fixed" | "floating" | null;
            /** Format: date */
            anchor_on?: string | null;
            lead_days?: number | null;
            /** Format: date */
            ends_on?: string | null;
            template?: {
                title?: string | null;
                /** @enum {unknown} */
                type?: "corrective" | "preventive" | "calibration" | "inspection" | null;
                /** @enum {unknown} */
                priority?: "low" | "medium" | "high" | "critical" | null;
                description?: string | null;
                assigned_to?: string | null;
            } | null;
        };
        /** NewProperty */
        NewProperty: {
            name: string;
            code?: string | null;
            address?: string | null;
        };
        /** NewStocktakeScan */
        NewStocktakeScan: {
            code?: string | null;
            epc?: string | null;
            location_id: string;
            /** @enum {unknown} */
            method: "qr" | "barcode" | "rfid";
            device_id: string;
            /** Format: date-time */
            scanned_at: string;
        };
        /** NewStocktakeScans */
        NewStocktakeScans: {
            scans: components["schemas"]["NewStocktakeScan"][];
        };
        /** NewStocktakeSession */
        NewStocktakeSession: {
            name: string;
            /** @enum {unknown} */
            scope_type: "all" | "property" | "building" | "floor" | "location" | "category" | "department";
            scope_id?: string | null;
            /** @default false */
            blind: boolean | null;
        };
        /** NewWorkOrder */
        NewWorkOrder: {
            asset_id: string;
            title: string;
            /** @enum {unknown} */
            type?: "corrective" | "preventive" | "calibration" | "inspection" | null;
            /** @enum {unknown} */
            priority?: "low" | "medium" | "high" | "critical" | null;
            description?: string | null;
            assigned_to?: string | null;
            /** Format: date-time */
            due_at?: string | null;
            asset_down?: boolean | null;
            labour_minutes?: number | null;
            labour_rate?: number | string | null;
            parts?: {
                name: string;
                quantity: number;
                unit_cost?: number | string | null;
            }[] | null;
            other_cost?: number | string | null;
            notes?: string | null;
        };
        /** NewWorkOrderStatus */
        NewWorkOrderStatus: {
            /** @enum {unknown} */
            status: "open" | "in_progress" | "on_hold" | "completed" | "cancelled";
            note?: string | null;
            /** Format: date */
            completed_on?: string | null;
            calibration?: components["schemas"]["CalibrationOfOrder"] | null;
        };
        /** NotSeenFor */
        NotSeenFor: {
            /** @constant */
            type: "not_seen_for";
            hours: number;
        };
        /** Notice */
        Notice: {
            id: string;
            /** @enum {unknown} */
            kind: "alert" | "alert_digest" | "endpoint_disabled";
            /** Format: date-time */
            at: string | null;
            alert_id: string | null;
            rule_id: string | null;
            subject: string | null;
            endpoint_id: string | null;
            reason: string | null;
            count: number | null;
            /** Format: date-time */
            read_at: string | null;
            subject_record?: components["schemas"]["NamedAnyRecord"] | null;
        };
        /** Passkey */
        Passkey: {
            id: string;
            name: string;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            unusable: boolean;
            synced: boolean;
            rev: number;
        };
        /** PatchAgentsByIdRequest */
        PatchAgentsByIdRequest: {
            name?: string;
            reader_ids?: string[];
        };
        /** PatchAlertRulesByIdRequest */
        PatchAlertRulesByIdRequest: {
            name?: string;
            /** @enum {unknown} */
            scope_type?: "all" | "zone" | "location" | "category" | "asset";
            scope_id?: string | null;
            condition?: components["schemas"]["AlertCondition"];
            channel_target?: string;
            enabled?: boolean;
            cooldown_seconds?: number;
        };
        /** PatchAssetsByIdRequest */
        PatchAssetsByIdRequest: {
            name?: string;
            number?: string;
            description?: string | null;
            category_id?: string | null;
            department_id?: string | null;
            property_id?: string | null;
            building_id?: string | null;
            floor_id?: string | null;
            location_id?: string | null;
            custodian_id?: string | null;
            status_id?: string | null;
            serial_number?: string | null;
            manufacturer?: string | null;
            model?: string | null;
            cost?: number | string | null;
            salvage_value?: number | string | null;
            useful_life_months?: number | null;
            /** Format: date */
            in_service_date?: string | null;
            /** @enum {unknown} */
            depreciation_method?: "straight_line" | "declining_balance" | "sum_of_years_digits" | "units_of_production" | "manual" | "macrs" | null;
            supplier?: string | null;
            purchase_order?: string | null;
            invoice_number?: string | null;
            custom_fields?: {
                [key: string]: string | number | boolean | string[] | null;
            } | null;
        };
        /** PatchBuildingsByIdRequest */
        PatchBuildingsByIdRequest: {
            name?: string;
            property_id?: string;
            code?: string | null;
        };
        /** PatchCategoriesByIdRequest */
        PatchCategoriesByIdRequest: {
            name?: string;
            code?: string | null;
            parent_id?: string | null;
            depreciation?: {
                /** @enum {unknown} */
                method?: "straight_line" | "declining_balance" | "sum_of_years_digits" | "units_of_production" | "manual" | "macrs" | null;
                useful_life_months?: number | null;
                salvage_percent?: number | null;
                /** @enum {unknown} */
                convention?: "full_month" | "next_month" | "mid_month" | "daily" | "half_year" | "mid_quarter" | null;
            } | null;
        };
        /** PatchContractsByIdRequest */
        PatchContractsByIdRequest: {
            /** @enum {unknown} */
            type?: "warranty" | "service" | "insurance";
            provider?: string | null;
            reference?: string | null;
            /** Format: date */
            starts_on?: string;
            /** Format: date */
            ends_on?: string | null;
            cost?: number | string | null;
            notes?: string | null;
        };
        /** PatchCustodiansByIdRequest */
        PatchCustodiansByIdRequest: {
            name?: string;
            /** Format: email */
            email?: string | null;
            employee_no?: string | null;
            department_id?: string | null;
            user_id?: string | null;
        };
        /** PatchCustomFieldsByIdRequest */
        PatchCustomFieldsByIdRequest: {
            label?: string;
            /** @enum {unknown} */
            type?: "text" | "textarea" | "number" | "boolean" | "date" | "datetime" | "select" | "multiselect" | "url" | "email";
            required?: boolean;
            unique?: boolean;
            options?: {
                value: string;
                label?: string;
                active?: boolean;
            }[];
            min?: number | string | null;
            max?: number | string | null;
            pattern?: string | null;
            category_ids?: string[];
            position?: number;
        };
        /** PatchDepartmentsByIdRequest */
        PatchDepartmentsByIdRequest: {
            name?: string;
            code?: string | null;
            parent_id?: string | null;
        };
        /** PatchFloorsByIdRequest */
        PatchFloorsByIdRequest: {
            name?: string;
            building_id?: string;
            level?: number;
        };
        /** PatchLocationsByIdRequest */
        PatchLocationsByIdRequest: {
            name?: string;
            code?: string | null;
            floor_id?: string | null;
            property_id?: string | null;
            parent_id?: string | null;
        };
        /** PatchMePasskeysByIdRequest */
        PatchMePasskeysByIdRequest: {
            name?: string;
        };
        /** PatchPmSchedulesByIdRequest */
        PatchPmSchedulesByIdRequest: {
            title?: string;
            interval_value?: number | null;
            /** @enum {unknown} */
            interval_unit?: "day" | "week" | "month" | "year" | null;
            meter_interval?: number | null;
            /** @enum {unknown} */
            basis?: "fixed" | "floating" | null;
            /** Format: date */
            anchor_on?: string;
            lead_days?: number | null;
            /** Format: date */
            ends_on?: string | null;
            template?: {
                title?: string | null;
                /** @enum {unknown} */
                type?: "corrective" | "preventive" | "calibration" | "inspection";
                /** @enum {unknown} */
                priority?: "low" | "medium" | "high" | "critical";
                description?: string | null;
                assigned_to?: string | null;
            };
        };
        /** PatchPropertiesByIdRequest */
        PatchPropertiesByIdRequest: {
            name?: string;
            code?: string | null;
            address?: string | null;
        };
        /** PatchReadersByIdRequest */
        PatchReadersByIdRequest: {
            name?: string;
            zone_id?: string | null;
            location_id?: string | null;
            auto_move?: boolean;
            antennas?: {
                antenna: number;
                name: string;
                zone_id?: string;
                location_id?: string;
                min_rssi?: number;
            }[];
            filters?: {
                /** @enum {unknown} */
                action: "accept" | "ignore";
                prefix: string;
                bits?: number;
            }[];
            reference_epcs?: string[];
        };
        /** PatchUsersByIdRequest */
        PatchUsersByIdRequest: {
            name?: string;
            capabilities?: ("view" | "create" | "edit" | "delete" | "manage" | "finance" | "audit" | "devices" | "alerts")[];
            admin?: boolean;
            /** @enum {unknown} */
            status?: "active" | "disabled";
        };
        /** PatchWebhooksByIdRequest */
        PatchWebhooksByIdRequest: {
            url?: string;
            events?: ("asset.created" | "asset.updated" | "asset.status_changed" | "asset.moved" | "asset.disposed" | "asset.deleted" | "checkout.created" | "checkout.returned" | "tag.commissioned" | "tag.decommissioned" | "alert.raised" | "alert.acknowledged" | "alert.resolved" | "stocktake.opened" | "stocktake.reconciled" | "stocktake.variance_resolved" | "stocktake.closed" | "stocktake.cancelled" | "work_order.created" | "work_order.updated" | "work_order.status_changed" | "contract.created" | "contract.updated" | "contract.cancelled" | "depreciation_run.posted" | "reader.revoked" | "reader.online" | "reader.offline" | "*")[];
            /** @enum {unknown} */
            status?: "active" | "disabled";
        };
        /** PatchWorkOrdersByIdRequest */
        PatchWorkOrdersByIdRequest: {
            title?: string;
            /** @enum {unknown} */
            type?: "corrective" | "preventive" | "calibration" | "inspection";
            /** @enum {unknown} */
            priority?: "low" | "medium" | "high" | "critical";
            description?: string | null;
            assigned_to?: string | null;
            /** Format: date-time */
            due_at?: string | null;
            asset_down?: boolean;
            labour_minutes?: number | null;
            labour_rate?: number | string | null;
            parts?: {
                name: string;
                quantity: number;
                unit_cost?: number | string;
            }[];
            other_cost?: number | string | null;
            notes?: string | null;
        };
        /** PatchWorkspaceRequest */
        PatchWorkspaceRequest: {
            name?: string;
            time_zone?: string;
            fiscal_year_start?: number;
            number_prefix?: string;
            require_mfa?: boolean;
        };
        /** PatchZonesByIdRequest */
        PatchZonesByIdRequest: {
            name?: string;
            location_ids?: string[];
            reader_ids?: string[];
            read_points?: {
                reader_id: string;
                antenna: number;
            }[];
            presence?: {
                confirm_reads?: number | null;
                dwell_seconds?: number | null;
                leave_after_seconds?: number | null;
                margin_db?: number | null;
                report_interval_seconds?: number | null;
            } | null;
        };
        /** PlaceNode */
        PlaceNode: {
            /** @enum {unknown} */
            type: "property" | "building" | "floor" | "location";
            id: string;
            name: string;
            code: string | null;
            level: number | null;
            asset_count: number;
            children: {
                [key: string]: unknown;
            }[];
        };
        /** PmSchedule */
        PmSchedule: {
            id: string;
            asset_id: string | null;
            category_id: string | null;
            title: string;
            interval_value: number | null;
            interval_unit: string | null;
            meter_interval: number | null;
            basis: string | null;
            /** Format: date */
            anchor_on: string | null;
            lead_days: number | null;
            /** Format: date */
            ends_on: string | null;
            template: {
                title: string | null;
                /** @enum {unknown} */
                type: "corrective" | "preventive" | "calibration" | "inspection";
                /** @enum {unknown} */
                priority: "low" | "medium" | "high" | "critical";
                description: string | null;
                assigned_to: string | null;
                assigned_to_user?: components["schemas"]["NamedRecord"] | null;
            };
            /** @enum {unknown} */
            status: "filling" | "active" | "ended";
            ended_reason: string | null;
            progress: {
                done: number;
                total: number;
            } | null;
            /** Format: date */
            next_due_on: string | null;
            next_due_meter: number | null;
            /** Format: date */
            open_from: string | null;
            asset_disposed: boolean;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            rev: number;
            asset?: components["schemas"]["NamedAsset"] | null;
            category?: components["schemas"]["NamedRecord"] | null;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** PostAgentsEnrolRequest */
        PostAgentsEnrolRequest: {
            token: string;
        };
        /** PostAgentsRequest */
        PostAgentsRequest: {
            name: string;
            reader_ids?: string[] | null;
        };
        /** PostAgentsSyncRequest */
        PostAgentsSyncRequest: {
            version?: string | null;
            buffer?: {
                rows?: number | null;
                /** Format: date-time */
                oldest_at?: string | null;
            } | null;
        };
        /** PostAlertRulesBacktestRequest */
        PostAlertRulesBacktestRequest: {
            rule: {
                /** @enum {unknown} */
                scope_type: "all" | "zone" | "location" | "category" | "asset";
                scope_id?: string | null;
                condition: components["schemas"]["AlertCondition"];
                cooldown_seconds?: number | null;
            };
            /** Format: date-time */
            from?: string | null;
            /** Format: date-time */
            to?: string | null;
        };
        /** PostAlertRulesByIdRotateSecretRequest */
        PostAlertRulesByIdRotateSecretRequest: {
            overlap_seconds?: number | null;
        };
        /** PostApiKeysByIdRotateRequest */
        PostApiKeysByIdRotateRequest: {
            overlap_seconds?: number | null;
        };
        /** PostApiKeysRequest */
        PostApiKeysRequest: {
            name: string;
            scopes: string[];
            allowed_addresses?: string[] | null;
            /** Format: date-time */
            expires_at?: string | null;
        };
        /** PostAssetsByIdAttachmentsRequest */
        PostAssetsByIdAttachmentsRequest: {
            description?: string;
            /** Format: binary */
            file: string;
        };
        /** PostAssetsByIdCheckoutsRequest */
        PostAssetsByIdCheckoutsRequest: {
            /** @enum {unknown} */
            issued_to_type: "custodian" | "department" | "location" | "external";
            issued_to_id?: string | null;
            issued_to_name?: string | null;
            due_at?: string | null;
            /** @enum {unknown} */
            condition_out?: "new" | "good" | "fair" | "poor" | "damaged" | "not_working" | null;
            note?: string | null;
        };
        /** PostAssetsByIdDisposeRequest */
        PostAssetsByIdDisposeRequest: {
            /** Format: date */
            date?: string | null;
            /** @enum {unknown} */
            method: "sold" | "scrapped" | "donated" | "lost" | "transferred";
            proceeds?: number | string | null;
            note?: string | null;
        };
        /** PostAssetsByIdImageRequest */
        PostAssetsByIdImageRequest: {
            /** Format: binary */
            file: string;
        };
        /** PostAssetsByIdStatusRequest */
        PostAssetsByIdStatusRequest: {
            status_id: string;
            note?: string | null;
        };
        /** PostAuthRefreshRequest */
        PostAuthRefreshRequest: {
            refresh?: string | null;
            /** Format: uuid */
            device_uuid: string;
            cookie?: boolean | null;
            user_id?: string | null;
        };
        /** PostCheckinsRequest */
        PostCheckinsRequest: {
            checkout_id: string;
            /** @enum {unknown} */
            condition_in?: "new" | "good" | "fair" | "poor" | "damaged" | "not_working" | null;
            note?: string | null;
        };
        /** PostCheckoutsByIdReturnRequest */
        PostCheckoutsByIdReturnRequest: {
            /** @enum {unknown} */
            condition_in?: "new" | "good" | "fair" | "poor" | "damaged" | "not_working" | null;
            note?: string | null;
            /** Format: date-time */
            returned_at?: string | null;
        };
        /** PostCheckoutsRequest */
        PostCheckoutsRequest: {
            asset_id: string;
            /** @enum {unknown} */
            issued_to_type: "custodian" | "department" | "location" | "external";
            issued_to_id?: string | null;
            issued_to_name?: string | null;
            due_at?: string | null;
            /** @enum {unknown} */
            condition_out?: "new" | "good" | "fair" | "poor" | "damaged" | "not_working" | null;
            note?: string | null;
        };
        /** PostImportAssetsRequest */
        PostImportAssetsRequest: {
            /** @enum {unknown} */
            dry_run?: "true" | "false";
            /** @enum {unknown} */
            mode?: "all_or_nothing" | "skip_bad";
            /** @enum {unknown} */
            on_existing?: "skip" | "update";
            /** @enum {unknown} */
            references?: "id" | "code" | "name";
            /** @enum {unknown} */
            allow_unnumbered?: "true" | "false";
            mapping?: string;
            /** Format: binary */
            file: string;
        };
        /** PostInvitationsAcceptRequest */
        PostInvitationsAcceptRequest: {
            token: string;
            name?: string | null;
            password: string;
        };
        /** PostLoginMfaRequest */
        PostLoginMfaRequest: {
            challenge: string;
            /** Format: uuid */
            device_uuid: string;
            code?: string | null;
            recovery_code?: string | null;
            assertion?: ({
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                response: {
                    clientDataJSON: string;
                    authenticatorData: string;
                    signature: string;
                    userHandle?: string | null;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            }) | null;
            cookie?: boolean | null;
        };
        /** PostLoginPasskeyOptionsResponse */
        PostLoginPasskeyOptionsResponse: {
            options: {
                [key: string]: unknown;
            };
        };
        /** PostLoginPasskeyRequest */
        PostLoginPasskeyRequest: {
            assertion: {
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                response: {
                    clientDataJSON: string;
                    authenticatorData: string;
                    signature: string;
                    userHandle?: string | null;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** Format: uuid */
            device_uuid?: string | null;
            label?: string | null;
            platform?: string | null;
            app_version?: string | null;
            cookie?: boolean | null;
        };
        /** PostLoginRequest */
        PostLoginRequest: {
            email: string;
            password: string;
            cookie?: boolean | null;
            /** Format: uuid */
            device_uuid?: string | null;
            label?: string | null;
            platform?: string | null;
            app_version?: string | null;
        };
        /** PostLogoutResponse */
        PostLogoutResponse: Record<string, never>;
        /** PostMeEmailConfirmRequest */
        PostMeEmailConfirmRequest: {
            token: string;
        };
        /** PostMeEmailRequest */
        PostMeEmailRequest: {
            email: string;
            password: string;
        };
        /** PostMeEmailResponse */
        PostMeEmailResponse: Record<string, never>;
        /** PostMeMfaTotpConfirmRequest */
        PostMeMfaTotpConfirmRequest: {
            code: string;
        };
        /** PostMePasskeysOptionsResponse */
        PostMePasskeysOptionsResponse: {
            options: {
                [key: string]: unknown;
            };
        };
        /** PostMePasskeysRequest */
        PostMePasskeysRequest: {
            name: string;
            registration: {
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                response: {
                    clientDataJSON: string;
                    attestationObject: string;
                    transports?: string[] | null;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        };
        /** PostMePasswordRequest */
        PostMePasswordRequest: {
            current_password: string;
            new_password: string;
        };
        /** PostMePasswordResponse */
        PostMePasswordResponse: Record<string, never>;
        /** PostMeReauthenticateRequest */
        PostMeReauthenticateRequest: {
            password?: string | null;
            code?: string | null;
            assertion?: ({
                id: string;
                rawId: string;
                /** @constant */
                type: "public-key";
                response: {
                    clientDataJSON: string;
                    authenticatorData: string;
                    signature: string;
                    userHandle?: string | null;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            }) | null;
        };
        /** PostMeReauthenticateResponse */
        PostMeReauthenticateResponse: Record<string, never>;
        /** PostMovementsRequest */
        PostMovementsRequest: {
            asset_id: string;
            to_location_id?: string | null;
            to_custodian_id?: string | null;
            reason?: string | null;
            ref?: string | null;
            note?: string | null;
        };
        /** PostPasswordForgotRequest */
        PostPasswordForgotRequest: {
            email: string;
        };
        /** PostPasswordForgotResponse */
        PostPasswordForgotResponse: Record<string, never>;
        /** PostPasswordResetRequest */
        PostPasswordResetRequest: {
            token: string;
            new_password: string;
        };
        /** PostReadersByIdRotateSecretRequest */
        PostReadersByIdRotateSecretRequest: {
            overlap_seconds?: number | null;
        };
        /** PostReadersRequest */
        PostReadersRequest: {
            name: string;
            /** @enum {unknown} */
            kind: "fixed_portal" | "handheld_sled" | "phone";
            zone_id?: string | null;
            location_id?: string | null;
            auto_move?: boolean | null;
            antennas?: {
                antenna: number;
                name: string;
                zone_id?: string | null;
                location_id?: string | null;
                min_rssi?: number | null;
            }[] | null;
            filters?: {
                /** @enum {unknown} */
                action: "accept" | "ignore";
                prefix: string;
                bits?: number | null;
            }[] | null;
            reference_epcs?: string[] | null;
        };
        /** PostSsoDomainsRequest */
        PostSsoDomainsRequest: {
            domain: string;
        };
        /** PostSsoExchangeRequest */
        PostSsoExchangeRequest: {
            code: string;
            cookie?: boolean | null;
            /** Format: uuid */
            device_uuid?: string | null;
            label?: string | null;
            platform?: string | null;
            app_version?: string | null;
        };
        /** PostSsoLogoutByIdRequest */
        PostSsoLogoutByIdRequest: {
            logout_token: string;
        };
        /** PostSsoLogoutByIdResponse */
        PostSsoLogoutByIdResponse: Record<string, never>;
        /** PostTagsByIdDecommissionRequest */
        PostTagsByIdDecommissionRequest: {
            note?: string | null;
        };
        /** PostUsersRequest */
        PostUsersRequest: {
            email: string;
            name: string;
            capabilities?: ("view" | "create" | "edit" | "delete" | "manage" | "finance" | "audit" | "devices" | "alerts")[] | null;
            admin?: boolean | null;
        };
        /** PostWebhooksByIdRotateSecretRequest */
        PostWebhooksByIdRotateSecretRequest: {
            overlap_seconds?: number | null;
        };
        /** PostWebhooksRequest */
        PostWebhooksRequest: {
            url: string;
            events: ("asset.created" | "asset.updated" | "asset.status_changed" | "asset.moved" | "asset.disposed" | "asset.deleted" | "checkout.created" | "checkout.returned" | "tag.commissioned" | "tag.decommissioned" | "alert.raised" | "alert.acknowledged" | "alert.resolved" | "stocktake.opened" | "stocktake.reconciled" | "stocktake.variance_resolved" | "stocktake.closed" | "stocktake.cancelled" | "work_order.created" | "work_order.updated" | "work_order.status_changed" | "contract.created" | "contract.updated" | "contract.cancelled" | "depreciation_run.posted" | "reader.revoked" | "reader.online" | "reader.offline" | "*")[];
        };
        /** PostZonesRequest */
        PostZonesRequest: {
            name: string;
            location_ids?: string[] | null;
            reader_ids?: string[] | null;
            read_points?: {
                reader_id: string;
                antenna: number;
            }[] | null;
            presence?: {
                confirm_reads?: number | null;
                dwell_seconds?: number | null;
                leave_after_seconds?: number | null;
                margin_db?: number | null;
                report_interval_seconds?: number | null;
            } | null;
        };
        /** PresentTag */
        PresentTag: {
            tag_id: string | null;
            epc: string;
            asset_id: string | null;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            last_read_at: string;
            reader_id: string;
            flapping: boolean;
            confidence: number;
            /** Format: date-time */
            suspended_since: string | null;
            asset?: components["schemas"]["NamedAsset"] | null;
            reader?: components["schemas"]["NamedRecord"] | null;
        };
        /** Problem */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            code: string;
            errors: {
                field: string;
                message: string;
            }[];
            request_id: string;
            challenge?: string;
            device_uuid?: string;
            methods?: ("totp" | "recovery_code" | "passkey")[];
            passkey_options?: {
                [key: string]: unknown;
            };
        };
        /** ProfileChange */
        ProfileChange: {
            id: string;
            fields: {
                /** @enum {unknown} */
                method?: "straight_line" | "declining_balance" | "sum_of_years_digits" | "units_of_production" | "manual" | "macrs";
                /** @enum {unknown} */
                convention?: "full_month" | "next_month" | "mid_month" | "daily" | "half_year" | "mid_quarter";
                cost?: number;
                salvage?: number;
                life_months?: number;
                /** Format: date */
                in_service_date?: string;
                factor?: number;
                rate?: number;
                switch_to_sl?: boolean;
                /** @enum {unknown} */
                macrs_class?: "3y" | "5y" | "7y" | "10y" | "15y" | "20y" | "39y";
                total_units?: number;
                opening_accumulated?: number;
                /** Format: date */
                opening_on?: string;
                /** Format: date */
                held_for_sale_on?: string | null;
                impairment?: {
                    amount: number;
                    /** Format: date */
                    on: string;
                };
            };
            /** Format: date */
            effective_on: string;
            by: string | null;
            /** Format: date-time */
            at: string;
            by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** Property */
        Property: {
            id: string;
            name: string | null;
            code: string | null;
            address: string | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
        };
        /** PutReaderSettingsRequest */
        PutReaderSettingsRequest: {
            presence?: {
                confirm_reads?: number;
                dwell_seconds?: number;
                leave_after_seconds?: number;
                margin_db?: number;
                report_interval_seconds?: number;
            };
            filters?: {
                /** @enum {unknown} */
                action: "accept" | "ignore";
                prefix: string;
                bits?: number;
            }[];
            unknown_per_hour?: number;
            travel?: {
                default_seconds?: number;
                pairs?: {
                    property_ids: string[];
                    seconds: number;
                }[];
            };
        };
        /** PutSsoRequest */
        PutSsoRequest: {
            issuer: string;
            client_id?: string;
            scopes?: string[];
            provision?: boolean;
            default_capabilities?: ("view" | "create" | "edit" | "delete" | "manage" | "finance" | "audit" | "devices" | "alerts")[];
            group_claim?: string;
            groups?: {
                group: string;
                capabilities?: ("view" | "create" | "edit" | "delete" | "manage" | "finance" | "audit" | "devices" | "alerts")[];
                admin?: boolean;
            }[];
            /** @enum {unknown} */
            require_sso?: "off" | "on" | "all";
            mfa_by_provider?: boolean;
            client_secret?: string;
        };
        /** PutZonesByIdLocationsRequest */
        PutZonesByIdLocationsRequest: {
            location_ids: string[];
        };
        /** Reader */
        Reader: {
            id: string;
            name: string;
            /** @enum {unknown} */
            kind: "fixed_portal" | "handheld_sled" | "phone";
            zone_id: string | null;
            location_id: string | null;
            auto_move: boolean;
            antennas: {
                antenna: number;
                name: string;
                zone_id: string | null;
                location_id: string | null;
                min_rssi: number | null;
                zone?: components["schemas"]["NamedRecord"] | null;
                location?: components["schemas"]["NamedRecord"] | null;
            }[];
            filters: {
                /** @enum {unknown} */
                action: "accept" | "ignore";
                prefix: string;
                bits: number | null;
            }[];
            reference_epcs: string[];
            health: components["schemas"]["JudgedHealth"] | null;
            /** @enum {unknown} */
            status: "active" | "revoked";
            /** Format: date-time */
            last_seen_at: string | null;
            clock_skew_ms: number | null;
            accepted: number;
            rejected: number;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            zone?: components["schemas"]["NamedRecord"] | null;
            location?: components["schemas"]["NamedRecord"] | null;
        };
        /** ReaderActivity */
        ReaderActivity: {
            /** Format: date-time */
            at: string;
            accepted: number;
            rejected: number;
            duplicate: number;
        };
        /** ReaderDegraded */
        ReaderDegraded: {
            /** @constant */
            type: "reader_degraded";
            minutes: number;
            reasons?: ("blind" | "clock_skew" | "signatures" | "rejected")[];
        };
        /** ReaderHealth */
        ReaderHealth: {
            id: string;
            name: string;
            /** @enum {unknown} */
            kind: "fixed_portal" | "handheld_sled" | "phone";
            zone_id: string | null;
            location_id: string | null;
            auto_move: boolean;
            antennas: {
                antenna: number;
                name: string;
                zone_id: string | null;
                location_id: string | null;
                min_rssi: number | null;
                zone?: components["schemas"]["NamedRecord"] | null;
                location?: components["schemas"]["NamedRecord"] | null;
            }[];
            filters: {
                /** @enum {unknown} */
                action: "accept" | "ignore";
                prefix: string;
                bits: number | null;
            }[];
            reference_epcs: string[];
            health: components["schemas"]["JudgedHealth"] | null;
            /** @enum {unknown} */
            status: "active" | "revoked";
            /** Format: date-time */
            last_seen_at: string | null;
            clock_skew_ms: number | null;
            accepted: number;
            rejected: number;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            rejected_by_code: {
                [key: string]: number;
            };
            events_per_minute: number;
            ignored_by_reason: {
                [key: string]: number;
            };
            flapping: number;
            zone?: components["schemas"]["NamedRecord"] | null;
            location?: components["schemas"]["NamedRecord"] | null;
        };
        /** ReaderOffline */
        ReaderOffline: {
            /** @constant */
            type: "reader_offline";
            minutes: number;
        };
        /** ReaderSettings */
        ReaderSettings: {
            presence: {
                confirm_reads: number | null;
                dwell_seconds: number | null;
                leave_after_seconds: number | null;
                margin_db: number | null;
                report_interval_seconds: number | null;
            } | null;
            filters: {
                /** @enum {unknown} */
                action: "accept" | "ignore";
                prefix: string;
                bits: number | null;
            }[];
            unknown_per_hour: number;
            travel: {
                default_seconds: number;
                pairs: {
                    property_ids: string[];
                    seconds: number;
                }[];
            };
            rev: number;
            /** Format: date-time */
            updated_at: string | null;
        };
        /** ReaderWithSecret */
        ReaderWithSecret: {
            id: string;
            name: string;
            /** @enum {unknown} */
            kind: "fixed_portal" | "handheld_sled" | "phone";
            zone_id: string | null;
            location_id: string | null;
            auto_move: boolean;
            antennas: {
                antenna: number;
                name: string;
                zone_id: string | null;
                location_id: string | null;
                min_rssi: number | null;
                zone?: components["schemas"]["NamedRecord"] | null;
                location?: components["schemas"]["NamedRecord"] | null;
            }[];
            filters: {
                /** @enum {unknown} */
                action: "accept" | "ignore";
                prefix: string;
                bits: number | null;
            }[];
            reference_epcs: string[];
            health: components["schemas"]["JudgedHealth"] | null;
            /** @enum {unknown} */
            status: "active" | "revoked";
            /** Format: date-time */
            last_seen_at: string | null;
            clock_skew_ms: number | null;
            accepted: number;
            rejected: number;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            secret: string;
            zone?: components["schemas"]["NamedRecord"] | null;
            location?: components["schemas"]["NamedRecord"] | null;
        };
        /** ReauthenticationMethods */
        ReauthenticationMethods: {
            password: boolean;
            sso: boolean;
            methods: ("totp" | "recovery_code" | "passkey")[];
            passkey_options?: {
                [key: string]: unknown;
            };
        };
        /** RecoveryCodes */
        RecoveryCodes: {
            recovery_codes: string[];
        };
        /** RegisterReport */
        RegisterReport: {
            count: number;
            cost: number;
            nbv: number;
            accumulated: number;
            by_status: {
                id: string;
                name: string;
                /** @enum {unknown} */
                class: "pending" | "deployable" | "undeployable" | "archived";
                count: number;
                cost: number;
                nbv: number;
            }[];
            by_class: {
                /** @enum {unknown} */
                class: "pending" | "deployable" | "undeployable" | "archived";
                count: number;
                cost: number;
                nbv: number;
            }[];
            without_cost: number;
            disposed: {
                count: number;
            };
        };
        /** SeenInZone */
        SeenInZone: {
            /** @constant */
            type: "seen_in_zone";
            zone_id: string;
        };
        /** Session */
        Session: {
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            expires_in: number;
            refresh_token?: string;
            refresh_expires_in: number;
            device_uuid: string;
            user: components["schemas"]["User"];
            capabilities: string[];
        };
        /** ShownAfterHours */
        ShownAfterHours: {
            /** @constant */
            type: "after_hours";
            open_days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            open_from: string;
            open_to: string;
        };
        /** ShownAlertCondition */
        ShownAlertCondition: components["schemas"]["ShownSeenInZone"] | components["schemas"]["ShownLeftZone"] | components["schemas"]["ShownExitPortalUnauthorised"] | components["schemas"]["ShownAfterHours"] | components["schemas"]["ShownUnknownTag"] | components["schemas"]["ShownTagCloned"] | components["schemas"]["ShownStatusMismatch"] | components["schemas"]["ShownNotSeenFor"] | components["schemas"]["ShownReaderOffline"] | components["schemas"]["ShownReaderDegraded"];
        /** ShownExitPortalUnauthorised */
        ShownExitPortalUnauthorised: {
            /** @constant */
            type: "exit_portal_unauthorised";
            zone_id: string;
            zone?: components["schemas"]["NamedRecord"] | null;
        };
        /** ShownLeftZone */
        ShownLeftZone: {
            /** @constant */
            type: "left_zone";
            zone_id: string;
            zone?: components["schemas"]["NamedRecord"] | null;
        };
        /** ShownNotSeenFor */
        ShownNotSeenFor: {
            /** @constant */
            type: "not_seen_for";
            hours: number;
        };
        /** ShownReaderDegraded */
        ShownReaderDegraded: {
            /** @constant */
            type: "reader_degraded";
            minutes: number;
            reasons?: ("blind" | "clock_skew" | "signatures" | "rejected")[];
        };
        /** ShownReaderOffline */
        ShownReaderOffline: {
            /** @constant */
            type: "reader_offline";
            minutes: number;
        };
        /** ShownSeenInZone */
        ShownSeenInZone: {
            /** @constant */
            type: "seen_in_zone";
            zone_id: string;
            zone?: components["schemas"]["NamedRecord"] | null;
        };
        /** ShownStatusMismatch */
        ShownStatusMismatch: {
            /** @constant */
            type: "status_mismatch";
            status_ids: string[];
            statuses?: (components["schemas"]["NamedRecord"] | null)[];
        };
        /** ShownTagCloned */
        ShownTagCloned: {
            /** @constant */
            type: "tag_cloned";
        };
        /** ShownUnknownTag */
        ShownUnknownTag: {
            /** @constant */
            type: "unknown_tag";
        };
        /** SignedBatch */
        SignedBatch: {
            events: {
                epc: string;
                ts: string | number;
                antenna?: number | null;
                rssi?: number | null;
                /** @default 1 */
                count: number | null;
            }[];
        };
        /** SkippedAsset */
        SkippedAsset: {
            asset_id: string;
            reason: string;
            asset?: components["schemas"]["NamedAsset"] | null;
        };
        /** SsoConnection */
        SsoConnection: {
            id: string;
            issuer: string;
            client_id: string;
            has_client_secret: boolean;
            scopes: string[];
            provision: boolean;
            default_capabilities: string[];
            group_claim: string;
            groups: {
                group: string;
                capabilities: string[];
                admin: boolean;
            }[];
            /** @enum {unknown} */
            require_sso: "off" | "on" | "all";
            mfa_by_provider: boolean;
            redirect_uri: string;
            backchannel_logout_uri: string;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
        };
        /** SsoDomain */
        SsoDomain: {
            domain: string;
            /** @enum {unknown} */
            status: "pending" | "verified" | "lost";
            record_name: string;
            record_value: string;
            /** Format: date-time */
            verified_at: string | null;
            /** Format: date-time */
            missing_since: string | null;
            /** Format: date-time */
            checked_at: string | null;
            /** Format: date-time */
            created_at: string | null;
            rev: number;
        };
        /** SsoTest */
        SsoTest: {
            results: {
                check: string;
                ok: boolean;
                message: string;
            }[];
        };
        /** StartedTotp */
        StartedTotp: {
            secret: string;
            uri: string;
        };
        /** Status */
        Status: {
            id: string;
            key: string;
            name: string;
            /** @enum {unknown} */
            class: "pending" | "deployable" | "undeployable" | "archived";
        };
        /** StatusFacet */
        StatusFacet: {
            values: {
                id: string | null;
                name: string | null;
                count: number;
            }[];
            other: number;
            is_exact: boolean;
        };
        /** StatusMismatch */
        StatusMismatch: {
            /** @constant */
            type: "status_mismatch";
            status_ids: string[];
        };
        /** StocktakeResolution */
        StocktakeResolution: {
            /** @enum {unknown} */
            resolution: "confirmed_moved" | "written_off" | "ignored";
            note?: string | null;
        };
        /** StocktakeScan */
        StocktakeScan: {
            id: string;
            session_id: string;
            code: string | null;
            epc: string | null;
            location_id: string;
            /** @enum {unknown} */
            method: "qr" | "barcode" | "rfid";
            device_id: string;
            /** Format: date-time */
            scanned_at: string;
            /** Format: date-time */
            received_at: string;
            seq: number;
            location?: components["schemas"]["NamedRecord"] | null;
        };
        /** StocktakeSession */
        StocktakeSession: {
            id: string;
            name: string;
            /** @enum {unknown} */
            scope_type: "all" | "property" | "building" | "floor" | "location" | "category" | "department";
            scope_id: string | null;
            blind: boolean;
            /** @enum {unknown} */
            status: "draft" | "opening" | "open" | "reconciling" | "reconciled" | "closed" | "cancelled";
            /** Format: date-time */
            opened_at: string | null;
            /** Format: date-time */
            reconciled_at: string | null;
            /** Format: date-time */
            closed_at: string | null;
            expected: number | null;
            excluded: number;
            scans: number;
            rejected: {
                [key: string]: number;
            };
            tags_scanned: number;
            unexpected_in_place: number;
            unresolved: number;
            scan_seq: number;
            reconciled_seq: number | null;
            stale: boolean;
            coverage: number | null;
            accuracy: number | null;
            stamped: {
                done: number;
                total: number | null;
            } | null;
            progress: {
                done: number;
                total: number | null;
            } | null;
            error: {
                code: string;
                message: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            rev: number;
            scope?: components["schemas"]["NamedRecord"] | null;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** StocktakeVariance */
        StocktakeVariance: {
            id: string;
            session_id: string;
            /** @enum {unknown} */
            kind: "found" | "missing" | "misplaced" | "unregistered" | "duplicate";
            reason: string | null;
            /** @enum {unknown} */
            status: "unresolved" | "resolving" | "resolved";
            asset_id: string | null;
            asset_number: string | null;
            asset_name: string | null;
            cost: number | null;
            nbv: number | null;
            code: string | null;
            epc: string | null;
            expected_location_id: string | null;
            expected_location_name: string | null;
            effective_location_id: string | null;
            effective_location_name: string | null;
            /** Format: date-time */
            last_scanned_at: string | null;
            device_id: string | null;
            checkout_id: string | null;
            resolution: string | null;
            note: string | null;
            resolved_by: string | null;
            /** Format: date-time */
            resolved_at: string | null;
            resolutions: {
                /** @enum {unknown} */
                resolution: "confirmed_moved" | "written_off" | "ignored";
                note: string | null;
                by: string | null;
                /** Format: date-time */
                at: string | null;
                rev: number;
                /** @enum {unknown} */
                outcome: "resolved" | "refused";
                code: string | null;
                by_user?: components["schemas"]["NamedRecord"] | null;
            }[];
            obsolete: boolean;
            rev: number;
            asset?: components["schemas"]["NamedAsset"] | null;
            expected_location?: components["schemas"]["NamedRecord"] | null;
            effective_location?: components["schemas"]["NamedRecord"] | null;
            resolved_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** SyncedAgent */
        SyncedAgent: {
            agent: components["schemas"]["Agent"];
            readers: components["schemas"]["AgentReader"][];
        };
        /** Tag */
        Tag: {
            id: string;
            /** @enum {unknown} */
            type: "qr" | "barcode" | "rfid" | "nfc";
            epc: string | null;
            code: string | null;
            asset_id: string | null;
            /** Format: date-time */
            bound_at: string | null;
            /** Format: date-time */
            first_seen_at: string | null;
            /** Format: date-time */
            last_seen_at: string | null;
            last_asset_id: string | null;
            /** Format: date-time */
            unbound_at: string | null;
            ghost: boolean;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            asset?: components["schemas"]["NamedAsset"] | null;
            last_asset?: components["schemas"]["NamedAsset"] | null;
        };
        /** TagCloned */
        TagCloned: {
            /** @constant */
            type: "tag_cloned";
        };
        /** TagRead */
        TagRead: {
            id: string;
            reader_id: string;
            epc: string;
            tag_id: string | null;
            asset_id: string | null;
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            ts: string;
            /** Format: date-time */
            received_at: string;
            antenna: number | null;
            rssi: number | null;
            count: number;
            late: boolean;
            weak: boolean;
            reader?: components["schemas"]["NamedRecord"] | null;
            asset?: components["schemas"]["NamedAsset"] | null;
        };
        /** TaggedAsset */
        TaggedAsset: {
            id: string;
            name: string;
            number: string;
            description: string | null;
            category_id: string | null;
            department_id: string | null;
            property_id: string | null;
            building_id: string | null;
            floor_id: string | null;
            location_id: string | null;
            custodian_id: string | null;
            status_id: string | null;
            serial_number: string | null;
            manufacturer: string | null;
            model: string | null;
            cost: number | null;
            salvage_value: number | null;
            useful_life_months: number | null;
            in_service_date: string | null;
            depreciation_method: string | null;
            supplier: string | null;
            purchase_order: string | null;
            invoice_number: string | null;
            custom_fields: {
                [key: string]: unknown;
            } | null;
            nbv: number | null;
            accumulated_depreciation: number | null;
            last_seen: {
                /** Format: date-time */
                at: string | null;
                reader_id: string | null;
                zone_id: string | null;
                location_id: string | null;
                reader?: components["schemas"]["NamedRecord"] | null;
                zone?: components["schemas"]["NamedRecord"] | null;
                location?: components["schemas"]["NamedRecord"] | null;
            } | null;
            /** Format: date-time */
            last_audited_at: string | null;
            tags: {
                id: string;
                /** @enum {unknown} */
                type: "qr" | "barcode" | "rfid" | "nfc";
                epc: string | null;
                code: string | null;
            }[];
            current_checkout: components["schemas"]["Checkout"] | null;
            disposed: components["schemas"]["Disposal"] | null;
            image: components["schemas"]["Image"] | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            created_by: string | null;
            /** Format: date-time */
            updated_at: string | null;
            updated_by: string | null;
            matched_tag_id: string;
            category?: components["schemas"]["NamedRecord"] | null;
            department?: components["schemas"]["NamedRecord"] | null;
            location?: components["schemas"]["NamedRecord"] | null;
            custodian?: components["schemas"]["NamedRecord"] | null;
            status?: components["schemas"]["NamedRecord"] | null;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
            updated_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** Tenant */
        Tenant: {
            id: string;
            name: string;
            /** @enum {unknown} */
            plan: "starter" | "business" | "enterprise";
            time_zone: string;
            currency: string;
            fiscal_year_start: number;
        };
        /** TenantConfig */
        TenantConfig: {
            workspace: components["schemas"]["Tenant"];
            statuses: components["schemas"]["Status"][];
            custom_fields: components["schemas"]["CustomField"][];
            collections: ("properties" | "buildings" | "floors" | "locations" | "categories" | "custodians" | "departments")[];
            limits: components["schemas"]["Limits"];
        };
        /** UnknownTag */
        UnknownTag: {
            /** @constant */
            type: "unknown_tag";
        };
        /** User */
        User: {
            id: string;
            name: string;
            email: string;
        };
        /** UserAccount */
        UserAccount: {
            id: string;
            email: string;
            name: string;
            capabilities: string[];
            admin: boolean;
            /** @enum {unknown} */
            status: "invited" | "active" | "disabled";
            mfa: boolean;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            /** Format: date-time */
            last_signed_in_at: string | null;
            /** Format: date-time */
            invitation_expires_at: string | null;
        };
        /** UserPasswordReset */
        UserPasswordReset: {
            id: string;
            email: string;
            name: string;
            capabilities: string[];
            admin: boolean;
            /** @enum {unknown} */
            status: "invited" | "active" | "disabled";
            mfa: boolean;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            /** Format: date-time */
            last_signed_in_at: string | null;
            /** Format: date-time */
            invitation_expires_at: string | null;
            token?: string;
        };
        /** ValueRow */
        ValueRow: {
            date: string;
            category_id: string | null;
            count: number;
            cost: number;
            nbv: number;
            movements: number;
            category?: components["schemas"]["NamedRecord"] | null;
        };
        /** VarianceReport */
        VarianceReport: {
            session: components["schemas"]["StocktakeSession"];
            counts: {
                found: {
                    total: number;
                    unresolved: number;
                    confirmed_moved: number;
                    written_off: number;
                    ignored: number;
                };
                missing: {
                    total: number;
                    unresolved: number;
                    confirmed_moved: number;
                    written_off: number;
                    ignored: number;
                };
                misplaced: {
                    total: number;
                    unresolved: number;
                    confirmed_moved: number;
                    written_off: number;
                    ignored: number;
                };
                unregistered: {
                    total: number;
                    unresolved: number;
                    confirmed_moved: number;
                    written_off: number;
                    ignored: number;
                };
                duplicate: {
                    total: number;
                    unresolved: number;
                    confirmed_moved: number;
                    written_off: number;
                    ignored: number;
                };
            };
            coverage: number | null;
            accuracy: number | null;
            value: {
                missing_cost: number;
                missing_nbv: number;
            };
            rows: components["schemas"]["StocktakeVariance"][];
            page: number;
            per_page: number;
            total: number;
            /** @constant */
            total_is_exact?: false;
            next_cursor?: string;
        };
        /** Webhook */
        Webhook: {
            id: string;
            url: string;
            events: string[];
            /** @enum {unknown} */
            status: "active" | "disabled";
            rev: number;
            /** Format: date-time */
            created_at: string | null;
        };
        /** WebhookWithSecret */
        WebhookWithSecret: {
            id: string;
            url: string;
            events: string[];
            /** @enum {unknown} */
            status: "active" | "disabled";
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            secret: string;
        };
        /** WorkOrder */
        WorkOrder: {
            id: string;
            asset_id: string;
            asset_name: string | null;
            asset_disposed: boolean;
            title: string;
            /** @enum {unknown} */
            type: "corrective" | "preventive" | "calibration" | "inspection";
            /** @enum {unknown} */
            priority: "low" | "medium" | "high" | "critical";
            /** @enum {unknown} */
            status: "open" | "in_progress" | "on_hold" | "completed" | "cancelled";
            description: string | null;
            assigned_to: string | null;
            /** Format: date-time */
            due_at: string | null;
            pm_schedule_id: string | null;
            /** Format: date */
            pm_due_on: string | null;
            asset_down: boolean;
            labour_minutes: number | null;
            labour_rate: number | null;
            parts: {
                name: string;
                quantity: number;
                unit_cost: number | null;
            }[];
            other_cost: number | null;
            total_cost: number | null;
            notes: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
            /** Format: date */
            completed_on: string | null;
            downtime_minutes: number;
            status_history: {
                /** @enum {unknown} */
                status: "open" | "in_progress" | "on_hold" | "completed" | "cancelled";
                /** Format: date-time */
                at: string;
                by: string | null;
                note: string | null;
                by_user?: components["schemas"]["NamedRecord"] | null;
            }[];
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            rev: number;
            asset?: components["schemas"]["NamedAsset"] | null;
            assigned_to_user?: components["schemas"]["NamedRecord"] | null;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** Workspace */
        Workspace: {
            id: string;
            name: string;
            /** @enum {unknown} */
            plan: "starter" | "business" | "enterprise";
            time_zone: string;
            currency: string;
            fiscal_year_start: number;
            /** @enum {unknown} */
            status: "active" | "disabled";
            number_prefix: string;
            require_mfa: boolean;
            rev: number;
        };
        /** WrittenAsset */
        WrittenAsset: {
            id: string;
            name: string;
            number: string;
            description: string | null;
            category_id: string | null;
            department_id: string | null;
            property_id: string | null;
            building_id: string | null;
            floor_id: string | null;
            location_id: string | null;
            custodian_id: string | null;
            status_id: string | null;
            serial_number: string | null;
            manufacturer: string | null;
            model: string | null;
            cost: number | null;
            salvage_value: number | null;
            useful_life_months: number | null;
            in_service_date: string | null;
            depreciation_method: string | null;
            supplier: string | null;
            purchase_order: string | null;
            invoice_number: string | null;
            custom_fields: {
                [key: string]: unknown;
            } | null;
            nbv: number | null;
            accumulated_depreciation: number | null;
            last_seen: {
                /** Format: date-time */
                at: string | null;
                reader_id: string | null;
                zone_id: string | null;
                location_id: string | null;
                reader?: components["schemas"]["NamedRecord"] | null;
                zone?: components["schemas"]["NamedRecord"] | null;
                location?: components["schemas"]["NamedRecord"] | null;
            } | null;
            /** Format: date-time */
            last_audited_at: string | null;
            tags: {
                id: string;
                /** @enum {unknown} */
                type: "qr" | "barcode" | "rfid" | "nfc";
                epc: string | null;
                code: string | null;
            }[];
            current_checkout: components["schemas"]["Checkout"] | null;
            disposed: components["schemas"]["Disposal"] | null;
            image: components["schemas"]["Image"] | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            created_by: string | null;
            /** Format: date-time */
            updated_at: string | null;
            updated_by: string | null;
            stripped_fields?: string[];
            ignored_fields?: string[];
            category?: components["schemas"]["NamedRecord"] | null;
            department?: components["schemas"]["NamedRecord"] | null;
            location?: components["schemas"]["NamedRecord"] | null;
            custodian?: components["schemas"]["NamedRecord"] | null;
            status?: components["schemas"]["NamedRecord"] | null;
            created_by_user?: components["schemas"]["NamedRecord"] | null;
            updated_by_user?: components["schemas"]["NamedRecord"] | null;
        };
        /** WrittenBuilding */
        WrittenBuilding: {
            id: string;
            name: string | null;
            property_id: string | null;
            code: string | null;
            placing: {
                done: number;
                total: number;
            } | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
        };
        /** WrittenCategory */
        WrittenCategory: {
            id: string;
            name: string | null;
            code: string | null;
            parent_id: string | null;
            depreciation: {
                method: string | null;
                useful_life_months: number | null;
                salvage_percent: number | null;
                convention: string | null;
            } | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            stripped_fields?: string[];
            parent?: components["schemas"]["NamedRecord"] | null;
        };
        /** WrittenCustodian */
        WrittenCustodian: {
            id: string;
            name: string | null;
            /** Format: email */
            email: string | null;
            employee_no: string | null;
            department_id: string | null;
            user_id: string | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            department?: components["schemas"]["NamedRecord"] | null;
            user?: components["schemas"]["NamedRecord"] | null;
        };
        /** WrittenDepartment */
        WrittenDepartment: {
            id: string;
            name: string | null;
            code: string | null;
            parent_id: string | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            parent?: components["schemas"]["NamedRecord"] | null;
        };
        /** WrittenFloor */
        WrittenFloor: {
            id: string;
            name: string | null;
            building_id: string | null;
            level: number | null;
            placing: {
                done: number;
                total: number;
            } | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
        };
        /** WrittenLocation */
        WrittenLocation: {
            id: string;
            name: string | null;
            code: string | null;
            floor_id: string | null;
            property_id: string | null;
            parent_id: string | null;
            placing: {
                done: number;
                total: number;
            } | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
            parent?: components["schemas"]["NamedRecord"] | null;
        };
        /** WrittenProperty */
        WrittenProperty: {
            id: string;
            name: string | null;
            code: string | null;
            address: string | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            /** Format: date-time */
            updated_at: string | null;
        };
        /** Zone */
        Zone: {
            id: string;
            name: string;
            location_ids: string[];
            reader_ids: string[];
            read_points: {
                reader_id: string;
                antenna: number;
                reader?: components["schemas"]["NamedRecord"] | null;
            }[];
            presence: {
                confirm_reads: number | null;
                dwell_seconds: number | null;
                leave_after_seconds: number | null;
                margin_db: number | null;
                report_interval_seconds: number | null;
            } | null;
            rev: number;
            /** Format: date-time */
            created_at: string | null;
            locations?: (components["schemas"]["NamedRecord"] | null)[];
            readers?: (components["schemas"]["NamedRecord"] | null)[];
        };
        /** ZonePresence */
        ZonePresence: {
            zone_id: string;
            name: string;
            assets: number;
            unknown: number;
            /** Format: date-time */
            as_of: string;
            zone?: components["schemas"]["NamedRecord"] | null;
        };
    };
    responses: never;
    parameters: {
        IdempotencyKey: string;
        IfMatch: string;
        IfNoneMatch: string;
        RetryKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    postLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostLoginRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAuthRefresh: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["RetryKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostAuthRefreshRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostLogoutResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMePassword: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostMePasswordRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostMePasswordResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMeMfa: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mfa"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMeMfaTotp: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedTotp"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteMeMfaTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMeMfaTotpConfirm: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostMeMfaTotpConfirmRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMeMfaRecoveryCodes: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postUsersByIdMfaReset: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postLoginMfa: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostLoginMfaRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postLoginPasskeyOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostLoginPasskeyOptionsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postLoginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostLoginPasskeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMeReauthenticateOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReauthenticationMethods"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMeReauthenticate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PostMeReauthenticateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostMeReauthenticateResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMePasskeysOptions: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostMePasskeysOptionsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMePasskeys: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMePasskeysResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMePasskeys: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostMePasskeysRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewPasskey"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteMePasskeysById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchMePasskeysById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchMePasskeysByIdRequest"];
                "application/json": components["schemas"]["PatchMePasskeysByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTenantConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantConfig"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHome: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Home"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDevices: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: "user"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDevicesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postDevicesByUuidRevoke: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUsers: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUsersResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postUsers: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostUsersRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitedUser"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUsersById: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchUsersById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchUsersByIdRequest"];
                "application/json": components["schemas"]["PatchUsersByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postInvitationsAccept: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostInvitationsAcceptRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAccount"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postPasswordForgot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostPasswordForgotRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostPasswordForgotResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostPasswordResetRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMeEmail: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostMeEmailRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostMeEmailResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMeEmailConfirm: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostMeEmailConfirmRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postUsersByIdPasswordReset: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPasswordReset"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchWorkspace: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchWorkspaceRequest"];
                "application/json": components["schemas"]["PatchWorkspaceRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSso: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConnection"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putSso: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutSsoRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConnection"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSso: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postSsoTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoTest"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSsoDomains: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSsoDomainsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postSsoDomains: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostSsoDomainsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomain"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomain"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSsoDomainsByDomain: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomain"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSsoDomainsByDomain: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postSsoDomainsByDomainVerify: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomain"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSsoStart: {
        parameters: {
            query: {
                email: string;
                fresh?: boolean;
                redirect?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSsoStartResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSsoCallbackById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postSsoExchange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostSsoExchangeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postSsoLogoutById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["PostSsoLogoutByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostSsoLogoutByIdResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAuditLog: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                actor_id?: string;
                action?: string;
                from?: string;
                to?: string;
                expand?: ("location" | "custodian" | "category" | "status" | "department" | "asset" | "user" | "zone" | "reader")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAuditLogResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getApiKeys: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: "user"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetApiKeysResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postApiKeys: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostApiKeysRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithText"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getApiKeysById: {
        parameters: {
            query?: {
                expand?: "user"[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postApiKeysByIdRotate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PostApiKeysByIdRotateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithText"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postApiKeysByIdRevoke: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssets: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id" | "updated_at" | "-updated_at" | "name" | "number";
                q?: string;
                category_id?: string;
                location_id?: string;
                status_id?: string;
                custodian_id?: string;
                property_id?: string;
                updated_since?: string;
                include_deleted?: boolean;
                expand?: ("location" | "custodian" | "category" | "status" | "department" | "asset" | "user" | "zone" | "reader" | "thumbnail")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAssetsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAssets: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAsset"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenAsset"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsById: {
        parameters: {
            query?: {
                as_of?: string;
                expand?: ("location" | "custodian" | "category" | "status" | "department" | "asset" | "user" | "zone" | "reader")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"] | components["schemas"]["AssetPosition"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAssetsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchAssetsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchAssetsByIdRequest"];
                "application/json": components["schemas"]["PatchAssetsByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenAsset"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsByIdHistory: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                expand?: ("location" | "custodian" | "category" | "status" | "department" | "asset" | "user" | "zone" | "reader")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAssetsByIdHistoryResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStatuses: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetStatusesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAssetsBulk: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAssets"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAssets"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAssetsBulkUpdate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssetChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedAssets"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsFacets: {
        parameters: {
            query?: {
                by?: string;
                q?: string;
                category_id?: string;
                location_id?: string;
                status_id?: string;
                custodian_id?: string;
                property_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetFacets"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAssetsByIdStatus: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostAssetsByIdStatusRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAssetsByIdDispose: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostAssetsByIdDisposeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsByIdImage: {
        parameters: {
            query?: {
                size?: "small";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAssetsByIdImage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["PostAssetsByIdImageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Asset"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAssetsByIdImage: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getImportAssetsById: {
        parameters: {
            query?: {
                expand?: "user"[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getImportAssetsByIdRows: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                status?: "pending" | "created" | "updated" | "unchanged" | "rejected";
                expand?: "asset"[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetImportAssetsByIdRowsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postImportAssets: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["PostImportAssetsRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postLabels: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLabelSheet"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabelSheet"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabelSheet"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLabelsById: {
        parameters: {
            query?: {
                expand?: ("asset" | "user")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabelSheet"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLabelsByIdFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "text/plain": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMovements: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                expand?: ("location" | "custodian" | "asset" | "user")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMovementsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postMovements: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostMovementsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Move"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Move"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMovementsById: {
        parameters: {
            query?: {
                expand?: ("location" | "custodian" | "asset" | "user")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Movement"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsByIdMovements: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                expand?: ("location" | "custodian" | "asset" | "user")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAssetsByIdMovementsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCheckouts: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                asset_id?: string;
                status?: "open" | "returned";
                overdue?: boolean;
                due_within_days?: number;
                issued_to_id?: string;
                expand?: ("location" | "custodian" | "department" | "asset")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCheckoutsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postCheckouts: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostCheckoutsRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCheckoutsById: {
        parameters: {
            query?: {
                expand?: ("location" | "custodian" | "department" | "asset")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsByIdCheckouts: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                expand?: ("location" | "custodian" | "department" | "asset")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAssetsByIdCheckoutsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAssetsByIdCheckouts: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostAssetsByIdCheckoutsRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postCheckoutsByIdReturn: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PostCheckoutsByIdReturnRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postCheckins: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostCheckinsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProperties: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPropertiesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postProperties: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProperty"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenProperty"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPropertiesById: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Property"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deletePropertiesById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchPropertiesById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchPropertiesByIdRequest"];
                "application/json": components["schemas"]["PatchPropertiesByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenProperty"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBuildings: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetBuildingsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postBuildings: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewBuilding"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenBuilding"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBuildingsById: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Building"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteBuildingsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchBuildingsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchBuildingsByIdRequest"];
                "application/json": components["schemas"]["PatchBuildingsByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenBuilding"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenBuilding"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFloors: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetFloorsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postFloors: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFloor"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenFloor"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFloorsById: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Floor"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteFloorsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchFloorsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchFloorsByIdRequest"];
                "application/json": components["schemas"]["PatchFloorsByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenFloor"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenFloor"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLocations: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: "location"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetLocationsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postLocations: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLocation"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenLocation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLocationsById: {
        parameters: {
            query?: {
                expand?: "location"[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Location"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteLocationsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchLocationsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchLocationsByIdRequest"];
                "application/json": components["schemas"]["PatchLocationsByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenLocation"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenLocation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCategories: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: "category"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCategoriesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postCategories: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCategory"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenCategory"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCategoriesById: {
        parameters: {
            query?: {
                expand?: "category"[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Category"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteCategoriesById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchCategoriesById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchCategoriesByIdRequest"];
                "application/json": components["schemas"]["PatchCategoriesByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenCategory"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCustodians: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: ("department" | "user")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCustodiansResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postCustodians: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCustodian"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenCustodian"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCustodiansById: {
        parameters: {
            query?: {
                expand?: ("department" | "user")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Custodian"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteCustodiansById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchCustodiansById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchCustodiansByIdRequest"];
                "application/json": components["schemas"]["PatchCustodiansByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenCustodian"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDepartments: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: "department"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDepartmentsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postDepartments: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDepartment"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenDepartment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDepartmentsById: {
        parameters: {
            query?: {
                expand?: "department"[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Department"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteDepartmentsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchDepartmentsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchDepartmentsByIdRequest"];
                "application/json": components["schemas"]["PatchDepartmentsByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenDepartment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLocationsTree: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetLocationsTreeResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCustomFields: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: "category"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCustomFieldsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postCustomFields: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "mac_address",
                 *       "label": "MAC address",
                 *       "type": "text",
                 *       "unique": true,
                 *       "max": 17
                 *     }
                 */
                "application/json": components["schemas"]["NewCustomField"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cfd_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "key": "mac_address",
                     *       "label": "MAC address",
                     *       "type": "text",
                     *       "required": false,
                     *       "unique": false,
                     *       "options": [
                     *         {
                     *           "value": "linux",
                     *           "label": "Linux",
                     *           "active": false
                     *         }
                     *       ],
                     *       "min": 1,
                     *       "max": 1,
                     *       "pattern": null,
                     *       "category_ids": [
                     *         "cat_01k8f70a4bfhkv5wq2t4r7z1xe"
                     *       ],
                     *       "position": 1,
                     *       "status": "active",
                     *       "progress": null,
                     *       "error": null,
                     *       "rev": 3,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "updated_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CustomField"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCustomFieldsById: {
        parameters: {
            query?: {
                expand?: "category"[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cfd_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "key": "mac_address",
                     *       "label": "MAC address",
                     *       "type": "text",
                     *       "required": false,
                     *       "unique": false,
                     *       "options": [
                     *         {
                     *           "value": "linux",
                     *           "label": "Linux",
                     *           "active": false
                     *         }
                     *       ],
                     *       "min": 1,
                     *       "max": 1,
                     *       "pattern": null,
                     *       "category_ids": [
                     *         "cat_01k8f70a4bfhkv5wq2t4r7z1xe"
                     *       ],
                     *       "position": 1,
                     *       "status": "active",
                     *       "progress": null,
                     *       "error": null,
                     *       "rev": 3,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "updated_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CustomField"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteCustomFieldsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchCustomFieldsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "label": "MAC address",
                 *       "type": "text",
                 *       "required": false,
                 *       "unique": false,
                 *       "options": [
                 *         {
                 *           "value": "linux",
                 *           "label": "Linux",
                 *           "active": false
                 *         }
                 *       ],
                 *       "min": 1,
                 *       "max": 1,
                 *       "pattern": "[0-9A-F:]{17}",
                 *       "category_ids": [
                 *         "cat_01k8f70a4bfhkv5wq2t4r7z1xe"
                 *       ],
                 *       "position": 1
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["PatchCustomFieldsByIdRequest"];
                /**
                 * @example {
                 *       "label": "MAC address",
                 *       "type": "text",
                 *       "required": false,
                 *       "unique": false,
                 *       "options": [
                 *         {
                 *           "value": "linux",
                 *           "label": "Linux",
                 *           "active": false
                 *         }
                 *       ],
                 *       "min": 1,
                 *       "max": 1,
                 *       "pattern": "[0-9A-F:]{17}",
                 *       "category_ids": [
                 *         "cat_01k8f70a4bfhkv5wq2t4r7z1xe"
                 *       ],
                 *       "position": 1
                 *     }
                 */
                "application/json": components["schemas"]["PatchCustomFieldsByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cfd_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "key": "mac_address",
                     *       "label": "MAC address",
                     *       "type": "text",
                     *       "required": false,
                     *       "unique": false,
                     *       "options": [
                     *         {
                     *           "value": "linux",
                     *           "label": "Linux",
                     *           "active": false
                     *         }
                     *       ],
                     *       "min": 1,
                     *       "max": 1,
                     *       "pattern": null,
                     *       "category_ids": [
                     *         "cat_01k8f70a4bfhkv5wq2t4r7z1xe"
                     *       ],
                     *       "position": 1,
                     *       "status": "active",
                     *       "progress": null,
                     *       "error": null,
                     *       "rev": 3,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "updated_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CustomField"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cfd_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "key": "mac_address",
                     *       "label": "MAC address",
                     *       "type": "text",
                     *       "required": false,
                     *       "unique": false,
                     *       "options": [
                     *         {
                     *           "value": "linux",
                     *           "label": "Linux",
                     *           "active": false
                     *         }
                     *       ],
                     *       "min": 1,
                     *       "max": 1,
                     *       "pattern": null,
                     *       "category_ids": [
                     *         "cat_01k8f70a4bfhkv5wq2t4r7z1xe"
                     *       ],
                     *       "position": 1,
                     *       "status": "active",
                     *       "progress": null,
                     *       "error": null,
                     *       "rev": 3,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "updated_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CustomField"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReaders: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                zone_id?: string;
                kind?: "fixed_portal" | "handheld_sled" | "phone";
                status?: "active" | "revoked";
                silent?: boolean;
                expand?: ("location" | "zone")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReadersResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postReaders: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostReadersRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReaderWithSecret"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadersByIdActivity: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                step?: "1m" | "1h";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReadersByIdActivityResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadersById: {
        parameters: {
            query?: {
                expand?: ("location" | "zone")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReaderHealth"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchReadersById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchReadersByIdRequest"];
                "application/json": components["schemas"]["PatchReadersByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reader"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postReadersByIdRotateSecret: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PostReadersByIdRotateSecretRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReaderWithSecret"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postReadersByIdRevoke: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reader"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgents: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: "reader"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAgentsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAgents: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostAgentsRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentWithToken"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgentsById: {
        parameters: {
            query?: {
                expand?: "reader"[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAgentsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchAgentsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchAgentsByIdRequest"];
                "application/json": components["schemas"]["PatchAgentsByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAgentsEnrol: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostAgentsEnrolRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrolledAgent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAgentsSync: {
        parameters: {
            query?: never;
            header?: {
                "X-Agent-Id"?: string;
                "X-Agent-Timestamp"?: string;
                "X-Agent-Nonce"?: string;
                "X-Agent-Signature"?: string;
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PostAgentsSyncRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncedAgent"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReaderSettings: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReaderSettings"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putReaderSettings: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PutReaderSettingsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReaderSettings"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getZones: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: ("location" | "reader")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetZonesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postZones: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostZonesRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Zone"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getZonesById: {
        parameters: {
            query?: {
                expand?: ("location" | "reader")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Zone"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteZonesById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchZonesById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchZonesByIdRequest"];
                "application/json": components["schemas"]["PatchZonesByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Zone"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putZonesByIdLocations: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutZonesByIdLocationsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Zone"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getZonesPresence: {
        parameters: {
            query?: {
                expand?: "zone"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetZonesPresenceResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getZonesByIdPresence: {
        parameters: {
            query?: {
                per_page?: number;
                cursor?: string;
                expand?: ("asset" | "reader")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetZonesByIdPresenceResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsByIdSightings: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                per_page?: number;
                cursor?: string;
                expand?: ("location" | "zone" | "reader")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAssetsByIdSightingsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTagsByIdReads: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                per_page?: number;
                cursor?: string;
                expand?: ("asset" | "reader")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTagsByIdReadsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadersByIdReads: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                per_page?: number;
                cursor?: string;
                expand?: ("asset" | "reader")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReadersByIdReadsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTags: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                type?: "qr" | "barcode" | "rfid" | "nfc";
                assigned?: boolean;
                ghost?: boolean;
                asset_id?: string;
                expand?: "asset"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTagsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTagsById: {
        parameters: {
            query?: {
                expand?: "asset"[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tag_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "type": "qr",
                     *       "epc": "303435FC8803D056D15B963F",
                     *       "code": "4006381333931",
                     *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "bound_at": "2026-01-31T09:30:00.000Z",
                     *       "first_seen_at": "2026-01-31T09:30:00.000Z",
                     *       "last_seen_at": "2026-01-31T09:30:00.000Z",
                     *       "last_asset_id": null,
                     *       "unbound_at": null,
                     *       "ghost": false,
                     *       "rev": 3,
                     *       "created_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Tag"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postTagsByIdDecommission: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PostTagsByIdDecommissionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tag_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "type": "qr",
                     *       "epc": "303435FC8803D056D15B963F",
                     *       "code": "4006381333931",
                     *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "bound_at": "2026-01-31T09:30:00.000Z",
                     *       "first_seen_at": "2026-01-31T09:30:00.000Z",
                     *       "last_seen_at": "2026-01-31T09:30:00.000Z",
                     *       "last_asset_id": null,
                     *       "unbound_at": null,
                     *       "ghost": false,
                     *       "rev": 3,
                     *       "created_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Tag"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsLookup: {
        parameters: {
            query: {
                tag: string;
                expand?: ("location" | "custodian" | "category" | "status" | "department" | "asset" | "user" | "zone" | "reader")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaggedAsset"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postTagsCommission: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Commission"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tag_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "type": "qr",
                     *       "epc": "303435FC8803D056D15B963F",
                     *       "code": "4006381333931",
                     *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "bound_at": "2026-01-31T09:30:00.000Z",
                     *       "first_seen_at": "2026-01-31T09:30:00.000Z",
                     *       "last_seen_at": "2026-01-31T09:30:00.000Z",
                     *       "last_asset_id": null,
                     *       "unbound_at": null,
                     *       "ghost": false,
                     *       "rev": 3,
                     *       "created_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Tag"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tag_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "type": "qr",
                     *       "epc": "303435FC8803D056D15B963F",
                     *       "code": "4006381333931",
                     *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "bound_at": "2026-01-31T09:30:00.000Z",
                     *       "first_seen_at": "2026-01-31T09:30:00.000Z",
                     *       "last_seen_at": "2026-01-31T09:30:00.000Z",
                     *       "last_asset_id": null,
                     *       "unbound_at": null,
                     *       "ghost": false,
                     *       "rev": 3,
                     *       "created_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Tag"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAlertRulesByIdRotateSecret: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PostAlertRulesByIdRotateSecretRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAlertRule"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAlertRulesByIdDeliveries: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAlertRulesByIdDeliveriesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAlertRulesBacktest: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostAlertRulesBacktestRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backtest"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backtest"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAlertRulesBacktestsById: {
        parameters: {
            query?: {
                expand?: ("location" | "category" | "status" | "asset" | "zone" | "reader")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Backtest"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAlertRules: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: ("location" | "category" | "status" | "asset" | "zone")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAlertRulesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAlertRules: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAlertRule"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAlertRule"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAlertRulesById: {
        parameters: {
            query?: {
                expand?: ("location" | "category" | "status" | "asset" | "zone")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAlertRulesById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchAlertRulesById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchAlertRulesByIdRequest"];
                "application/json": components["schemas"]["PatchAlertRulesByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAlerts: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                status?: "open" | "acknowledged" | "resolved";
                rule_id?: string;
                asset_id?: string;
                from?: string;
                to?: string;
                expand?: ("location" | "asset" | "user" | "zone" | "reader")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAlertsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAlertsById: {
        parameters: {
            query?: {
                expand?: ("location" | "asset" | "user" | "zone" | "reader")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAlertsByIdAck: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAlertsByIdResolve: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getNotices: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: ("asset" | "reader")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetNoticesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postNoticesByIdRead: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notice"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhooks: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWebhooksResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postWebhooks: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostWebhooksRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhooksById: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhooksById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchWebhooksById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchWebhooksByIdRequest"];
                "application/json": components["schemas"]["PatchWebhooksByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postWebhooksByIdRotateSecret: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PostWebhooksByIdRotateSecretRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postWebhooksByIdTest: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "message_id": "msg_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "type": "asset.moved",
                     *       "status": "pending",
                     *       "attempts": 1,
                     *       "next_attempt_at": "2026-01-31T09:30:00.000Z",
                     *       "last_response_status": 503,
                     *       "last_response_excerpt": "Service Unavailable",
                     *       "last_duration_ms": 85,
                     *       "last_error": "The receiver answered 503",
                     *       "recipient": "ada@example.com",
                     *       "created_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhooksByIdDeliveries: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWebhooksByIdDeliveriesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postWebhooksByIdDeliveriesByDeliveryIdRetry: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dlv_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "message_id": "msg_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "type": "asset.moved",
                     *       "status": "pending",
                     *       "attempts": 1,
                     *       "next_attempt_at": "2026-01-31T09:30:00.000Z",
                     *       "last_response_status": 503,
                     *       "last_response_excerpt": "Service Unavailable",
                     *       "last_duration_ms": 85,
                     *       "last_error": "The receiver answered 503",
                     *       "recipient": "ada@example.com",
                     *       "created_at": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStocktakeSessions: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                in_progress?: boolean;
                expand?: ("location" | "category" | "department" | "user")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetStocktakeSessionsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postStocktakeSessions: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStocktakeSession"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StocktakeSession"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStocktakeSessionsById: {
        parameters: {
            query?: {
                expand?: ("location" | "category" | "department" | "user")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StocktakeSession"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postStocktakeSessionsByIdOpen: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StocktakeSession"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StocktakeSession"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postStocktakeSessionsByIdCancel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StocktakeSession"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStocktakeSessionsByIdExpected: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: ("location" | "custodian" | "status" | "asset")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetStocktakeSessionsByIdExpectedResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStocktakeSessionsByIdScans: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: "location"[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetStocktakeSessionsByIdScansResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postStocktakeSessionsByIdScans: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStocktakeScans"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedStocktakeScans"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postStocktakeSessionsByIdReconcile: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StocktakeSession"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StocktakeSession"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postStocktakeSessionsByIdClose: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StocktakeSession"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StocktakeSession"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStocktakeSessionsByIdVariances: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                kind?: "found" | "missing" | "misplaced" | "unregistered" | "duplicate";
                status?: "unresolved" | "resolving" | "resolved";
                reason?: "disposed_asset" | "deleted_asset" | "lost_asset" | "checked_out";
                expand?: ("location" | "asset" | "user")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetStocktakeSessionsByIdVariancesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStocktakeVariancesById: {
        parameters: {
            query?: {
                expand?: ("location" | "asset" | "user")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StocktakeVariance"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postStocktakeVariancesById: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StocktakeResolution"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StocktakeVariance"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReportsVarianceBySessionId: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                kind?: "found" | "missing" | "misplaced" | "unregistered" | "duplicate";
                status?: "unresolved" | "resolving" | "resolved";
                reason?: "disposed_asset" | "deleted_asset" | "lost_asset" | "checked_out";
                expand?: ("location" | "category" | "department" | "asset" | "user")[];
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VarianceReport"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getExportVarianceCsv: {
        parameters: {
            query: {
                session_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWorkOrders: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                status?: "open" | "in_progress" | "on_hold" | "completed" | "cancelled";
                type?: "corrective" | "preventive" | "calibration" | "inspection";
                asset_id?: string;
                assigned_to?: string;
                priority?: "low" | "medium" | "high" | "critical";
                pm_schedule_id?: string;
                q?: string;
                expand?: ("asset" | "user")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWorkOrdersResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postWorkOrders: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWorkOrder"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wo_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "asset_name": "Conveyor 3",
                     *       "asset_disposed": false,
                     *       "title": "Replace the belt",
                     *       "type": "corrective",
                     *       "priority": "low",
                     *       "status": "open",
                     *       "assigned_to": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "due_at": "2026-01-31T09:30:00.000Z",
                     *       "pm_schedule_id": "pms_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "pm_due_on": "2026-01-31",
                     *       "asset_down": false,
                     *       "labour_minutes": 50,
                     *       "labour_rate": 40,
                     *       "parts": [
                     *         {
                     *           "name": "Belt",
                     *           "quantity": 1.5,
                     *           "unit_cost": 7.5
                     *         }
                     *       ],
                     *       "other_cost": 10,
                     *       "total_cost": 54.58,
                     *       "notes": "Ordered a spare one",
                     *       "started_at": null,
                     *       "completed_at": null,
                     *       "completed_on": null,
                     *       "downtime_minutes": 90,
                     *       "status_history": [
                     *         {
                     *           "status": "open",
                     *           "at": "2026-01-31T09:30:00.000Z",
                     *           "by": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *           "note": "Waiting for the part"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "created_by": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "rev": 3
                     *     }
                     */
                    "application/json": components["schemas"]["WorkOrder"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsByIdWorkOrders: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                expand?: ("asset" | "user")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAssetsByIdWorkOrdersResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWorkOrdersById: {
        parameters: {
            query?: {
                expand?: ("asset" | "user")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wo_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "asset_name": "Conveyor 3",
                     *       "asset_disposed": false,
                     *       "title": "Replace the belt",
                     *       "type": "corrective",
                     *       "priority": "low",
                     *       "status": "open",
                     *       "assigned_to": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "due_at": "2026-01-31T09:30:00.000Z",
                     *       "pm_schedule_id": "pms_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "pm_due_on": "2026-01-31",
                     *       "asset_down": false,
                     *       "labour_minutes": 50,
                     *       "labour_rate": 40,
                     *       "parts": [
                     *         {
                     *           "name": "Belt",
                     *           "quantity": 1.5,
                     *           "unit_cost": 7.5
                     *         }
                     *       ],
                     *       "other_cost": 10,
                     *       "total_cost": 54.58,
                     *       "notes": "Ordered a spare one",
                     *       "started_at": null,
                     *       "completed_at": null,
                     *       "completed_on": null,
                     *       "downtime_minutes": 90,
                     *       "status_history": [
                     *         {
                     *           "status": "open",
                     *           "at": "2026-01-31T09:30:00.000Z",
                     *           "by": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *           "note": "Waiting for the part"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "created_by": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "rev": 3
                     *     }
                     */
                    "application/json": components["schemas"]["WorkOrder"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchWorkOrdersById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "Replace the belt",
                 *       "type": "corrective",
                 *       "priority": "low",
                 *       "assigned_to": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                 *       "due_at": "2026-01-31T09:30:00.000Z",
                 *       "asset_down": false,
                 *       "labour_minutes": 50,
                 *       "labour_rate": 1249.9,
                 *       "parts": [
                 *         {
                 *           "name": "Belt",
                 *           "quantity": 1.5,
                 *           "unit_cost": 1249.9
                 *         }
                 *       ],
                 *       "other_cost": 1249.9,
                 *       "notes": "Ordered a spare one"
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["PatchWorkOrdersByIdRequest"];
                /**
                 * @example {
                 *       "title": "Replace the belt",
                 *       "type": "corrective",
                 *       "priority": "low",
                 *       "assigned_to": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                 *       "due_at": "2026-01-31T09:30:00.000Z",
                 *       "asset_down": false,
                 *       "labour_minutes": 50,
                 *       "labour_rate": 1249.9,
                 *       "parts": [
                 *         {
                 *           "name": "Belt",
                 *           "quantity": 1.5,
                 *           "unit_cost": 1249.9
                 *         }
                 *       ],
                 *       "other_cost": 1249.9,
                 *       "notes": "Ordered a spare one"
                 *     }
                 */
                "application/json": components["schemas"]["PatchWorkOrdersByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wo_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "asset_name": "Conveyor 3",
                     *       "asset_disposed": false,
                     *       "title": "Replace the belt",
                     *       "type": "corrective",
                     *       "priority": "low",
                     *       "status": "open",
                     *       "assigned_to": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "due_at": "2026-01-31T09:30:00.000Z",
                     *       "pm_schedule_id": "pms_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "pm_due_on": "2026-01-31",
                     *       "asset_down": false,
                     *       "labour_minutes": 50,
                     *       "labour_rate": 40,
                     *       "parts": [
                     *         {
                     *           "name": "Belt",
                     *           "quantity": 1.5,
                     *           "unit_cost": 7.5
                     *         }
                     *       ],
                     *       "other_cost": 10,
                     *       "total_cost": 54.58,
                     *       "notes": "Ordered a spare one",
                     *       "started_at": null,
                     *       "completed_at": null,
                     *       "completed_on": null,
                     *       "downtime_minutes": 90,
                     *       "status_history": [
                     *         {
                     *           "status": "open",
                     *           "at": "2026-01-31T09:30:00.000Z",
                     *           "by": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *           "note": "Waiting for the part"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "created_by": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "rev": 3
                     *     }
                     */
                    "application/json": components["schemas"]["WorkOrder"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postWorkOrdersByIdStatus: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWorkOrderStatus"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wo_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "asset_name": "Conveyor 3",
                     *       "asset_disposed": false,
                     *       "title": "Replace the belt",
                     *       "type": "corrective",
                     *       "priority": "low",
                     *       "status": "open",
                     *       "assigned_to": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "due_at": "2026-01-31T09:30:00.000Z",
                     *       "pm_schedule_id": "pms_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "pm_due_on": "2026-01-31",
                     *       "asset_down": false,
                     *       "labour_minutes": 50,
                     *       "labour_rate": 40,
                     *       "parts": [
                     *         {
                     *           "name": "Belt",
                     *           "quantity": 1.5,
                     *           "unit_cost": 7.5
                     *         }
                     *       ],
                     *       "other_cost": 10,
                     *       "total_cost": 54.58,
                     *       "notes": "Ordered a spare one",
                     *       "started_at": null,
                     *       "completed_at": null,
                     *       "completed_on": null,
                     *       "downtime_minutes": 90,
                     *       "status_history": [
                     *         {
                     *           "status": "open",
                     *           "at": "2026-01-31T09:30:00.000Z",
                     *           "by": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *           "note": "Waiting for the part"
                     *         }
                     *       ],
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "created_by": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "rev": 3
                     *     }
                     */
                    "application/json": components["schemas"]["WorkOrder"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContracts: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                asset_id?: string;
                type?: "warranty" | "service" | "insurance";
                status?: "cancelled" | "upcoming" | "expired" | "expiring" | "active";
                expiring_days?: number;
                q?: string;
                expand?: ("asset" | "user")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetContractsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postContracts: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                 *       "type": "service",
                 *       "provider": "Acme Lifts",
                 *       "starts_on": "2026-01-31",
                 *       "ends_on": "2027-01-30",
                 *       "cost": 1200
                 *     }
                 */
                "application/json": components["schemas"]["NewContract"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ctr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "type": "warranty",
                     *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "asset_name": "Conveyor 3",
                     *       "asset_disposed": false,
                     *       "provider": "Acme Lifts",
                     *       "reference": "SV-2026-17",
                     *       "starts_on": "2026-01-31",
                     *       "ends_on": "2027-01-30",
                     *       "cost": 1200,
                     *       "notes": "Renew by phone",
                     *       "status": "active",
                     *       "cancelled_at": null,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "created_by": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "rev": 3
                     *     }
                     */
                    "application/json": components["schemas"]["Contract"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContractsExpiring: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                days?: number;
                expand?: ("asset" | "user")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetContractsExpiringResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContractsById: {
        parameters: {
            query?: {
                expand?: ("asset" | "user")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ctr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "type": "warranty",
                     *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "asset_name": "Conveyor 3",
                     *       "asset_disposed": false,
                     *       "provider": "Acme Lifts",
                     *       "reference": "SV-2026-17",
                     *       "starts_on": "2026-01-31",
                     *       "ends_on": "2027-01-30",
                     *       "cost": 1200,
                     *       "notes": "Renew by phone",
                     *       "status": "active",
                     *       "cancelled_at": null,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "created_by": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "rev": 3
                     *     }
                     */
                    "application/json": components["schemas"]["Contract"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchContractsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "type": "warranty",
                 *       "provider": "Acme Lifts",
                 *       "reference": "SV-2026-17",
                 *       "starts_on": "2026-01-31",
                 *       "ends_on": "2027-01-30",
                 *       "cost": 1249.9,
                 *       "notes": "Renew by phone"
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["PatchContractsByIdRequest"];
                /**
                 * @example {
                 *       "type": "warranty",
                 *       "provider": "Acme Lifts",
                 *       "reference": "SV-2026-17",
                 *       "starts_on": "2026-01-31",
                 *       "ends_on": "2027-01-30",
                 *       "cost": 1249.9,
                 *       "notes": "Renew by phone"
                 *     }
                 */
                "application/json": components["schemas"]["PatchContractsByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ctr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "type": "warranty",
                     *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "asset_name": "Conveyor 3",
                     *       "asset_disposed": false,
                     *       "provider": "Acme Lifts",
                     *       "reference": "SV-2026-17",
                     *       "starts_on": "2026-01-31",
                     *       "ends_on": "2027-01-30",
                     *       "cost": 1200,
                     *       "notes": "Renew by phone",
                     *       "status": "active",
                     *       "cancelled_at": null,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "created_by": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "rev": 3
                     *     }
                     */
                    "application/json": components["schemas"]["Contract"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postContractsByIdCancel: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ctr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "type": "warranty",
                     *       "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "asset_name": "Conveyor 3",
                     *       "asset_disposed": false,
                     *       "provider": "Acme Lifts",
                     *       "reference": "SV-2026-17",
                     *       "starts_on": "2026-01-31",
                     *       "ends_on": "2027-01-30",
                     *       "cost": 1200,
                     *       "notes": "Renew by phone",
                     *       "status": "active",
                     *       "cancelled_at": null,
                     *       "created_at": "2026-01-31T09:30:00.000Z",
                     *       "created_by": "usr_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "rev": 3
                     *     }
                     */
                    "application/json": components["schemas"]["Contract"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPmSchedules: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                expand?: ("category" | "asset" | "user")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPmSchedulesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postPmSchedules: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPmSchedule"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PmSchedule"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PmSchedule"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPmSchedulesById: {
        parameters: {
            query?: {
                expand?: ("category" | "asset" | "user")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PmSchedule"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deletePmSchedulesById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    patchPmSchedulesById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/merge-patch+json": components["schemas"]["PatchPmSchedulesByIdRequest"];
                "application/json": components["schemas"]["PatchPmSchedulesByIdRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PmSchedule"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PmSchedule"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPmSchedulesByIdDue: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                expand?: "asset"[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPmSchedulesByIdDueResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postPmSchedulesByIdGenerate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GenerateWorkOrders"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedWorkOrders"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneratedWorkOrders"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMaintenanceDue: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                days?: number;
                expand?: "asset"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMaintenanceDueResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCalibrationsDue: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                days?: number;
                expand?: "asset"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCalibrationsDueResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsByIdCalibrations: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                expand?: ("asset" | "user")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAssetsByIdCalibrationsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAssetsByIdCalibrations: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCalibration"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Calibration"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCalibrationsById: {
        parameters: {
            query?: {
                expand?: ("asset" | "user")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Calibration"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsByIdMeterReadings: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                expand?: ("asset" | "user")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAssetsByIdMeterReadingsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAssetsByIdMeterReadings: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMeterReading"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeterReading"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMeterReadingsById: {
        parameters: {
            query?: {
                expand?: ("asset" | "user")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeterReading"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsByIdAttachments: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                expand?: ("asset" | "user")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAssetsByIdAttachmentsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAssetsByIdAttachments: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["PostAssetsByIdAttachmentsRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAttachmentsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAttachmentsById: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsByIdDeprProfiles: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                expand?: ("asset" | "user")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAssetsByIdDeprProfilesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postAssetsByIdDeprProfiles: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewDepreciationProfile"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepreciationProfile"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepreciationProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDeprProfilesById: {
        parameters: {
            query?: {
                expand?: ("asset" | "user")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepreciationProfile"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDepreciationDisposals: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                book?: "book" | "tax";
                from?: string;
                to?: string;
                expand?: ("category" | "asset")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDepreciationDisposalsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDepreciationRuns: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                sort?: "id" | "-id";
                book?: "book" | "tax";
                expand?: ("category" | "asset" | "user")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDepreciationRunsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postDepreciationRuns: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDepreciationRun"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepreciationRun"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepreciationRun"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDepreciationRunsById: {
        parameters: {
            query?: {
                expand?: ("category" | "asset" | "user")[];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepreciationRun"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDepreciationRunsByIdLines: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                skipped?: boolean;
                asset_id?: string;
                expand?: "asset"[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDepreciationRunsByIdLinesResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postDepreciationRunsByIdPost: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepreciationRun"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepreciationRun"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postDepreciationRunsByIdDiscard: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepreciationRun"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAssetsByIdDepreciation: {
        parameters: {
            query?: {
                book?: "book" | "tax";
                expand?: ("category" | "asset" | "user")[];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetDepreciation"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReportsDepreciation: {
        parameters: {
            query?: {
                book?: "book" | "tax";
                from?: string;
                to?: string;
                expand?: "category"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DepreciationReport"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReportsRegister: {
        parameters: {
            query?: {
                q?: string;
                category_id?: string;
                location_id?: string;
                status_id?: string;
                custodian_id?: string;
                property_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisterReport"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReportsByLocation: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                q?: string;
                category_id?: string;
                location_id?: string;
                status_id?: string;
                custodian_id?: string;
                property_id?: string;
                rollup?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReportsByLocationResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReportsByCustodian: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                q?: string;
                category_id?: string;
                location_id?: string;
                status_id?: string;
                custodian_id?: string;
                property_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReportsByCustodianResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReportsByCategory: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                q?: string;
                category_id?: string;
                location_id?: string;
                status_id?: string;
                custodian_id?: string;
                property_id?: string;
                rollup?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReportsByCategoryResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReportsValue: {
        parameters: {
            query?: {
                page?: number;
                per_page?: number;
                cursor?: string;
                by?: "day" | "month" | "category";
                from?: string;
                to?: string;
                expand?: "category"[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReportsValueResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getExportRegisterCsv: {
        parameters: {
            query?: {
                q?: string;
                category_id?: string;
                location_id?: string;
                status_id?: string;
                custodian_id?: string;
                property_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    postIngestEvents: {
        parameters: {
            query?: never;
            header: {
                "X-Reader-Id": string;
                "X-Reader-Timestamp": string;
                "X-Reader-Nonce": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignedBatch"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResult"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEvents: {
        parameters: {
            query?: {
                after?: string;
                types?: string;
                asset_id?: string;
                limit?: number;
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetEventsResponse"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEventsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "type": "asset.updated",
                     *       "timestamp": "2026-01-31T09:30:00.000Z",
                     *       "workspace_id": "wsp_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *       "data": {
                     *         "seq": 7,
                     *         "asset_id": "ast_01k8f70a4bfhkv5wq2t4r7z1xe",
                     *         "number": "AST-000012",
                     *         "fields": [
                     *           "name"
                     *         ]
                     *       },
                     *       "cursor": "WyJ3c3BfMDFrOGY3MGE0YmZoa3Y1d3EydDRyN3oxeGUiLDcsIjNrOHQyYzlkIl0"
                     *     }
                     */
                    "application/json": components["schemas"]["Event"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEventsStream: {
        parameters: {
            query?: {
                after?: string;
                types?: string;
                asset_id?: string;
            };
            header?: {
                "Last-Event-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
