plugins {
    id("com.android.application")
    id("org.jetbrains.kotlin.android")
}

android {
    namespace = "com.example.speech"
    compileSdk = 35

    defaultConfig {
        applicationId = "com.example.speech"
        minSdk = 23
        targetSdk = 35
        versionCode = 1
        versionName = "1.0"
    }

    buildTypes {
        release {
            isMinifyEnabled = true
            proguardFiles(getDefaultProguardFile("proguard-android-optimize.txt"))
        }
    }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_1_8
        targetCompatibility = JavaVersion.VERSION_1_8
    }

    // The voices are mapped into memory from the APK, so they must not be compressed.
    androidResources {
        noCompress += "tar"
    }
}

kotlin {
    compilerOptions {
        jvmTarget.set(org.jetbrains.kotlin.gradle.dsl.JvmTarget.JVM_1_8)
    }
}

dependencies {
    implementation("io.libspeech:libspeech-sdk-android:0.1.0")
    implementation("io.libspeech:libspeech-sdk-voices-android:0.1.0")
}
